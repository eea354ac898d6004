#if HTTP
  import SectileRemote
  import SectileHTTP
  import Testing

  @Suite(.timeLimit(.minutes(60))) struct HTTPTransportTests {
    typealias Exchange = MisbehavingServer.Exchange

    /// Asks a server once, and returns the error.
    static func error(
      options: HTTPOptions = HTTPOptions(), link: String? = nil,
      _ serve: @escaping @Sendable (Exchange) -> Void
    ) async throws -> RemoteError {
      try await MisbehavingServer.run(serve) { server in
        let transport = try HTTPTransport(serviceURL: server.origin + "/songs", options: options)
        let error = await #expect(throws: RemoteError.self) {
          try await transport.response(to: PageRequest(link: link, bodySizeLimit: 10_000))
        }
        return try #require(error)
      }
    }

    // MARK: - What is asked

    @Test func parametersAreAddedToTheServicesQuery() async throws {
      try await MisbehavingServer.run({ $0.answer("ok") }) { server in
        let transport = try HTTPTransport(serviceURL: server.origin + "/songs?sort=title&page=9")
        let request = PageRequest(parameters: [
          .init(name: "page", value: "2"), .init(name: "q", value: "a&b=c ü"),
        ])
        let response = try await transport.response(to: request)
        #expect(server.log == ["/songs?sort=title&page=2&q=a%26b%3Dc%20%C3%BC"])
        #expect(response.status == 200)
        #expect(response.body == Array("ok".utf8))
        #expect(response.url == server.origin + server.log[0])
      }
    }

    @Test func headerFieldsAreSent() async throws {
      try await MisbehavingServer.run({ $0.answer("ok", ["X-A": "1", "x-a": "2"]) }) { server in
        let transport = try HTTPTransport(
          serviceURL: server.origin, headers: ["Authorization": "Bearer b2Zm"])
        let response = try await transport.response(to: PageRequest())
        #expect(server.values(of: "Authorization") == ["Bearer b2Zm"])
        #expect(server.values(of: "accept-encoding") == ["gzip, deflate"])
        #expect(response.headers.values(of: "X-A") == ["1", "2"])
      }
    }

    @Test(arguments: ["", "songs", "/songs", "ftp://host/", "http://", "file:///etc", "https:"])
    func addressThatIsNotOneOfHTTPIsRefused(_ address: String) {
      let error = #expect(throws: RemoteError.self) { try HTTPTransport(serviceURL: address) }
      #expect(error?.code == .invalidAddress)
    }

    @Test func messagesHideSecretsOfTheAddress() {
      let error = #expect(throws: RemoteError.self) {
        try HTTPTransport(serviceURL: "ftp://me:password@host/songs?key=secret")
      }
      #expect(error?.message.contains("ftp://host/songs") == true)
      #expect(error?.message.contains("secret") == false)
      #expect(error?.message.contains("password") == false)
    }

    // MARK: - Connections

    @Test func serverThatIsNotThereFailsTheConnection() async throws {
      // Port 1 is reserved for a service that nobody runs.
      let transport = try HTTPTransport(serviceURL: "http://127.0.0.1:1/")
      let error = await #expect(throws: RemoteError.self) {
        try await transport.response(to: PageRequest())
      }
      #expect(error?.code == .connectionFailed)
      #expect(error?.isTransient == true)
    }

    @Test func connectionLostBeforeTheAnswerFails() async throws {
      let error = try await Self.error { $0.hangUp() }
      #expect(error.code == .connectionFailed)
    }

    @Test func connectionLostInsideTheBodyFails() async throws {
      for headers in [["Content-Length": "1000"], [:]] as [HeaderFields] {
        let error = try await Self.error { exchange in
          exchange.begin(200, headers)
          exchange.send("[{\"id\": 1}, ")
          exchange.hangUp()
        }
        #expect(error.code == .connectionFailed, "\(headers)")
      }
    }

    @Test func silenceTimesOut() async throws {
      let options = HTTPOptions(idleTimeout: .milliseconds(100))
      #expect(try await Self.error(options: options) { _ in }.code == .timedOut)
      let inside = try await Self.error(options: options) { exchange in
        exchange.begin()
        exchange.send("[")
      }
      #expect(inside.code == .timedOut)
    }

    @Test func bodyThatDripsForEverTimesOut() async throws {
      let options = HTTPOptions(timeout: .milliseconds(200))
      let error = try await Self.error(options: options) { exchange in
        exchange.begin()
        exchange.drip(" ", every: .milliseconds(5))
      }
      #expect(error.code == .timedOut)
    }

    @Test func cancelledTaskEndsTheRequest() async throws {
      let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
      try await MisbehavingServer.run({ _ in arrival.yield() }) { server in
        let transport = try HTTPTransport(serviceURL: server.origin)
        let task = Task { try await transport.response(to: PageRequest()) }
        for await _ in arrived { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }

    // MARK: - Bodies

    @Test func bodyThatSaysItIsHugeIsNotRead() async throws {
      let error = try await Self.error { exchange in
        exchange.begin(200, ["Content-Length": "99999999999"])
        exchange.sendForEver(Array(repeating: 32, count: 4_096))
      }
      #expect(error.code == .bodyTooLarge)
    }

    @Test func bodyWithoutEndIsReadUpToTheLimit() async throws {
      let error = try await Self.error { exchange in
        exchange.begin()
        exchange.sendForEver(Array(repeating: 32, count: 4_096))
      }
      #expect(error.code == .bodyTooLarge)
    }

    @Test func bodyIsDecompressed() async throws {
      // “ok” as a zlib stream.
      let compressed: [UInt8] = [
        0x78, 0x9C, 0xCB, 0xCF, 0x06, 0x00, 0x01, 0x4B, 0x00, 0xDB,
      ]
      try await MisbehavingServer.run({ exchange in
        exchange.begin(200, ["Content-Encoding": "deflate", "Content-Length": "10"])
        exchange.send(compressed)
        exchange.end()
      }) { server in
        let transport = try HTTPTransport(serviceURL: server.origin)
        let response = try await transport.response(to: PageRequest())
        #expect(response.body == Array("ok".utf8))
      }
    }

    @Test func chunkedBodyIsPutTogether() async throws {
      try await MisbehavingServer.run({ exchange in
        exchange.begin()
        for part in ["[1", ", ", "2]"] { exchange.send(part) }
        exchange.end()
      }) { server in
        let transport = try HTTPTransport(serviceURL: server.origin)
        let response = try await transport.response(to: PageRequest())
        #expect(response.body == Array("[1, 2]".utf8))
      }
    }

    // MARK: - Redirects and links

    @Test func redirectsAreFollowedUpToALimit() async throws {
      let serve: @Sendable (Exchange) -> Void = { exchange in
        let number = Int(exchange.query["n"] ?? "0") ?? 0
        if number == 0 { return exchange.answer("ok") }
        exchange.answer("", status: 302, ["Location": "/songs?n=\(number - 1)"])
      }
      try await MisbehavingServer.run(serve) { server in
        func ask(_ redirects: Int) async throws -> PageResponse {
          try await HTTPTransport(serviceURL: server.origin + "/songs?n=\(redirects)")
            .response(to: PageRequest())
        }
        let response = try await ask(5)
        #expect(response.body == Array("ok".utf8))
        #expect(response.url == server.origin + "/songs?n=0")
        let error = await #expect(throws: RemoteError.self) { try await ask(6) }
        #expect(error?.code == .tooManyRedirects)
      }
    }

    @Test func redirectLoopIsNoticed() async throws {
      let error = try await Self.error { exchange in
        let other = exchange.head.uri == "/songs" ? "/other" : "/songs"
        exchange.answer("", status: 307, ["Location": other])
      }
      #expect(error.code == .tooManyRedirects)
    }

    @Test func redirectToNoAddressIsRefused() async throws {
      let error = try await Self.error { exchange in
        exchange.answer("", status: 301, ["Location": "file:///etc/passwd"])
      }
      #expect(error.code == .invalidAddress)
    }

    @Test func credentialsStayWithTheService() async throws {
      try await MisbehavingServer.run({ $0.answer("ok") }) { other in
        let origin = other.origin
        try await MisbehavingServer.run({ exchange in
          exchange.answer("", status: 302, ["Location": origin + "/songs"])
        }) { server in
          let transport = try HTTPTransport(
            serviceURL: server.origin, headers: ["X-Key": "secret"])
          #expect(try await transport.response(to: PageRequest()).status == 200)
          #expect(server.values(of: "X-Key") == ["secret"])
          #expect(other.values(of: "X-Key") == [nil])
        }
      }
    }

    @Test func linkToAnotherHostIsFollowedOnlyWhereThatIsAllowed() async throws {
      try await MisbehavingServer.run({ $0.answer("ok") }) { other in
        let link = other.origin + "/songs"
        let error = try await Self.error(link: link) { $0.answer("ok") }
        #expect(error.code == .invalidAddress)
        #expect(other.log == [])
        let transport = try HTTPTransport(
          serviceURL: "http://127.0.0.1:9/", headers: ["X-Key": "secret"],
          options: HTTPOptions(followsForeignLinks: true))
        _ = try await transport.response(to: PageRequest(link: link))
        #expect(other.log == ["/songs"])
        #expect(other.values(of: "X-Key") == [nil])
      }
    }

    @Test(arguments: [
      ("?page=2", "http://radio.example/api/songs?page=2"), ("/p", "http://radio.example/p"),
      ("more", "http://radio.example/api/more"), ("https://a.example/x", "https://a.example/x"),
      ("//b.example/y", "http://b.example/y"),
    ])
    func linksAreResolvedAgainstTheAnswersAddress(_ link: String, _ address: String) throws {
      let transport = try HTTPTransport(serviceURL: "http://other.example/")
      let response = PageResponse(url: "http://radio.example/api/songs?page=1")
      #expect(transport.resolve(link, in: response) == address)
    }
  }
#endif
