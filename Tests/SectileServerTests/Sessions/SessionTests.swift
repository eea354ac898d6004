#if Server
  import SectileServer
  import Testing

  /// A token is good once; then a cookie is.
  @Suite(.timeLimit(.minutes(60))) struct SessionTests {
    @Test func tokenBeginsOneSession() async throws {
      try await withServer { server async throws in
        let token = server.token
        let first = try await server.get("/?token=\(token)&table=package")
        #expect(first.status == 303)
        #expect(first.headers["location"] == ["/?table=package"])
        let cookie = try #require(first.headers["set-cookie"]?.first)
        #expect(cookie.hasPrefix("sectile_session_\(server.port)="))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        #expect(server.addressesTold.count == 2)
        #expect(server.token != token)

        let second = try await server.get("/?token=\(token)")
        #expect(second.status == 401)
        #expect(second.headers["set-cookie"] == nil)
        #expect(second.text.contains("<h1>No session</h1>"))

        let name = String(cookie.prefix { $0 != ";" })
        #expect(try await server.get("/", cookie: name).status == 200)
        #expect(try await server.get("/api/schema", cookie: name).status == 200)
        // A reload of the printed address.
        let again = try await server.get("/?token=\(token)", cookie: name)
        #expect(again.status == 303)
        #expect(again.headers["location"] == ["/"])
        #expect(again.headers["set-cookie"] == nil)
      }
    }

    @Test func onlyTheServersOwnCookieIsGood() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let value = cookie.split(separator: "=")[1]
        for wrong in [
          "sectile_session_1=\(value)", "sectile_session_\(server.port)=", cookie + "x",
          String(cookie.dropLast()), "sectile_session_\(server.port)=\(server.token)",
        ] {
          #expect(try await server.get("/api/schema", cookie: wrong).status == 401, "\(wrong)")
        }
        #expect(try await server.get("/api/schema", cookie: "a=b; \(cookie); c=d").status == 200)
      }
    }

    @Test func tokenIsNoneForTheAPI() async throws {
      try await withServer { server async throws in
        #expect(try await server.get("/api/schema?token=\(server.token)").status == 401)
        // It is still good.
        #expect(try await server.cookie().isEmpty == false)
      }
    }

    @Test func headDoesNotUseTheTokenUp() async throws {
      try await withServer { server async throws in
        #expect(try await server.get("/?token=\(server.token)", method: "HEAD").status == 401)
        #expect(server.addressesTold.count == 1)
      }
    }

    @Test func withoutTokenEverybodyOnTheMachineReads() async throws {
      try await withServer {
        $0.needsToken = false
      } _: { server async throws in
        #expect(server.addressesTold == ["http://127.0.0.1:\(server.port)/"])
        #expect(try await server.get("/api/schema").status == 200)
      }
    }

    @Test func otherAddressesNeedTheToken() async throws {
      for host in ["0.0.0.0", "::", "192.0.2.1", "example.org"] {
        var options = ServingOptions(file: "/nowhere")
        options.host = host
        options.needsToken = false
        #expect(throws: ServingError.self, "\(host)") { try LiveServer(options) { _ in } }
      }
    }
  }
#endif
