#if Server
  import NIOCore
  import SectileServer
  import SectileTestSupport
  import Testing

  /// Clients that mean no good: they are refused soon, at little cost, and others are served
  /// meanwhile.
  @Suite(.timeLimit(.minutes(60)), .serialized) struct HostileConnectionTests {
    /// Sends portions until the other side has had enough, and returns what it said and how much it
    /// took.
    static func flood(
      _ port: Int, _ start: String, with portion: [UInt8], upTo limit: Int
    ) async throws -> (text: String, sent: Int) {
      try await RawConnection.with(port: port) { connection in
        var sent = 0
        do {
          try await connection.write(Array(start.utf8))
          while sent < limit {
            try await connection.write(portion)
            sent += portion.count
          }
        } catch {
          // It does not listen any more.
        }
        let text = try? await connection.readToEnd()
        return (String(decoding: text ?? [], as: UTF8.self), sent)
      }
    }

    /// What it costs, `ConnectionGuardTests` tells.
    @Test func giantRequestLineIsRefused() async throws {
      try await withServer { server async throws in
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024)
        let outcome = try await Self.flood(server.port, "GET /", with: line, upTo: 3 << 20)
        #expect(outcome.text.isEmpty || outcome.text.hasPrefix("HTTP/1.1 431 "))
      }
    }

    @Test func headerThatIsTooLargeIsAnswered() async throws {
      try await withServer { server async throws in
        let host = "127.0.0.1:\(server.port)"
        let long = String(repeating: "a", count: 40_000)
        for request in [
          "GET /?q=\(long) HTTP/1.1\r\nHost: \(host)\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: \(host)\r\nX: \(long)\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: \(host)\r\n"
            + String(repeating: "X: y\r\n", count: 150) + "\r\n",
        ] {
          let answer = try await server.send(request)
          #expect(answer.status == 431)
          #expect(answer.code == "headTooLarge")
          RequestGateTests.expectSecurity(of: answer, String(request.prefix(20)))
        }
        // What is allowed is allowed.
        let fits = String(repeating: "a", count: 20_000)
        #expect(try await server.get("/?q=\(fits)").status == 401)
      }
    }

    @Test func endlessHeadersAreRefused() async throws {
      try await withServer { server async throws in
        let header = Array(String(repeating: "X-Y: zzzzzzzz\r\n", count: 500).utf8)
        let outcome = try await Self.flood(
          server.port, "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n", with: header,
          upTo: 20 << 20)
        #expect(outcome.text.isEmpty || outcome.text.hasPrefix("HTTP/1.1 431 "))
      }
    }

    @Test func slowHeadersTimeOut() async throws {
      try await withServer {
        $0.headTime = .milliseconds(600)
      } _: { server async throws in
        let start = ContinuousClock.now
        try await RawConnection.with(port: server.port) { connection in
          try await connection.write(Array("GET / HTTP/1.1\r\nX: ".utf8))
          let writer = connection.outbound
          let writing = Task {
            // Each is a sign of life, and none of progress. They go on until the server closes: one
            // that took them for progress would not do so within the time limit.
            while !Task.isCancelled {
              try? await Task.sleep(for: .milliseconds(50))
              try? await writer.write(ByteBuffer(string: "y"))
            }
          }
          defer { writing.cancel() }
          let rest = try await connection.readToEnd()
          #expect(rest.isEmpty)
          #expect(connection.isClosed)
          #expect(.now - start >= .milliseconds(600))
        }
      }
    }

    @Test func connectionsThatSayNothingTimeOut() async throws {
      try await withServer {
        $0.headTime = .milliseconds(400)
      } _: { server async throws in
        let start = ContinuousClock.now
        try await RawConnection.with(port: server.port) { connection in
          let rest = try await connection.readToEnd()
          #expect(rest.isEmpty)
          #expect(connection.isClosed)
        }
        #expect(.now - start >= .milliseconds(400))
      }
    }

    @Test func connectionsThatWereAnsweredTimeOut() async throws {
      try await withServer {
        // Not what counts between two requests.
        $0.headTime = .seconds(3_600)
        $0.idleTime = .milliseconds(800)
      } _: { server async throws in
        try await RawConnection.with(port: server.port) { connection in
          let head = "GET /api/schema HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
          let start = ContinuousClock.now
          try await connection.write(Array(head.utf8))
          #expect(try await connection.answer().status == 401)
          let rest = try await connection.readToEnd()
          #expect(rest.isEmpty)
          #expect(connection.isClosed)
          #expect(.now - start >= .milliseconds(800))
        }
      }
    }

    /// A flood of connections that ask for nothing keeps nobody out.
    @Test func floodOfIdleConnectionsKeepsNobodyOut() async throws {
      try await withServer {
        $0.connections = 32
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
          client, _ async throws in
          try await client.reach(1)
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
              group.addTask {
                try? await RawConnection.with(port: server.port) { connection in
                  _ = try await connection.readToEnd()
                }
              }
            }
            for _ in 0..<20 {
              // While hundreds come at once, one that has not asked yet may be among those that go.
              var answer: HTTPAnswer?
              for _ in 0..<10 where answer == nil {
                answer = try? await server.get("/api/rows?table=package", cookie: cookie)
              }
              #expect(answer?.status == 200)
            }
            // A stream is being answered: it is not closed for others.
            try await server.writer.write { try $0.execute("DELETE FROM package WHERE id = 1") }
            try await client.reach(2)
            group.cancelAll()
          }
        }
      }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await RawConnection.with(port: server.port) { connection in
          let requests = (0..<50).map { rank in
            "GET /api/cell?table=package&at=\(rank % 12)&column=id HTTP/1.1\r\n"
              + "Host: 127.0.0.1:\(server.port)\r\nCookie: \(cookie)\r\n\r\n"
          }
          try await connection.write(Array(requests.joined().utf8))
          for rank in 0..<50 {
            #expect(try await connection.answer().text == "\(rank % 12 + 1)")
          }
        }
      }
    }

    @Test(arguments: SeededRandom.batches(debug: 60, release: 60, of: 60))
    func randomBytesEndNothing(_ seeds: Range<UInt64>) async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for seed in seeds {
          var random = SeededRandom(seed: seed)
          let bytes = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          let prefix = ["", "GET ", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: "]
            .randomElement(using: &random)
          try? await RawConnection.with(port: server.port) { connection in
            try await connection.write(Array((prefix ?? "").utf8) + bytes + Array("\r\n\r\n".utf8))
            _ = try await connection.read()
          }
        }
        #expect(
          try await server.get("/api/schema", cookie: cookie).status == 200, "seeds \(seeds)")
      }
    }

    /// A client that closes its half after asking is answered, and leaves nothing behind.
    @Test func halfClosedConnectionsEnd() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for _ in 0..<20 {
          try await RawConnection.with(port: server.port) { connection in
            let head =
              "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nCookie: \(cookie)\r\n\r\n"
            try await connection.write(Array(head.utf8))
            #expect(try await connection.head().status == 200)
            connection.finishWriting()
            _ = try await connection.readToEnd()
          }
        }
        #expect(try await server.streamsLeft(cookie) == 0)
      }
    }
  }
#endif
