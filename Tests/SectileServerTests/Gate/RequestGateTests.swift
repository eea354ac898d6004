#if Server
  import Testing

  @testable import SectileServer

  /// What is refused before anything is looked up for it, by bytes on a socket.
  @Suite(.timeLimit(.minutes(60))) struct RequestGateTests {
    private struct Case: Sendable, CustomTestStringConvertible {
      let name: String
      let request: String
      let status: Int
      let code: String?

      var testDescription: String { name }
    }

    /// `HOST` stands for what the server goes by.
    private static let cases: [Case] = [
      Case(
        name: "two hosts", request: "GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(name: "no host", request: "GET / HTTP/1.1\r\n\r\n", status: 400, code: "badRequest"),
      Case(
        name: "HTTP/1.0 without a host", request: "GET / HTTP/1.0\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "HTTP/1.0", request: "GET / HTTP/1.0\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "absolute form", request: "GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "authority form", request: "CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "asterisk form", request: "OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "another host", request: "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", status: 421,
        code: "misdirected"),
      Case(
        name: "another port", request: "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", status: 421,
        code: "misdirected"),
      Case(
        name: "no port", request: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", status: 421,
        code: "misdirected"),
      Case(
        name: "a host with something before it",
        request: "GET / HTTP/1.1\r\nHost: user@HOST\r\n\r\n", status: 421, code: "misdirected"),
      Case(
        name: "a name that resolves to it",
        request: "GET /api/schema HTTP/1.1\r\nHost: rebound.example:80\r\n\r\n", status: 421,
        code: "misdirected"),
      Case(
        name: "dots", request: "GET /api/../api/schema HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "one dot", request: "GET /./ HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "encoded dots", request: "GET /%2e%2e/api HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "encoded slash", request: "GET /api%2fschema HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "two slashes", request: "GET //api/schema HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "a slash at the end", request: "GET /api/schema/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "a backslash", request: "GET /api\\schema HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "a fragment", request: "GET /#x HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "POST", request: "POST /api/schema HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 405,
        code: "methodNotAllowed"),
      Case(
        name: "OPTIONS", request: "OPTIONS /api/schema HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 405,
        code: "methodNotAllowed"),
      Case(
        name: "a body", request: "GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\nhi",
        status: 400, code: "badRequest"),
      Case(
        name: "a body in chunks",
        request: "GET / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "a page of another site",
        request: "GET / HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Site: cross-site\r\n\r\n", status: 403,
        code: "forbidden"),
      Case(
        name: "a page of the same site",
        request: "GET / HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Site: same-site\r\n\r\n", status: 403,
        code: "forbidden"),
      Case(
        name: "another origin",
        request: "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\n\r\n", status: 403,
        code: "forbidden"),
      Case(
        name: "an origin that is none",
        request: "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\n\r\n", status: 403,
        code: "forbidden"),
      Case(name: "no HTTP", request: "hello\r\n\r\n", status: 400, code: "badRequest"),
      Case(
        name: "a header without a name", request: "GET / HTTP/1.1\r\nHost: HOST\r\n: x\r\n\r\n",
        status: 400, code: "badRequest"),
      Case(
        name: "a NUL", request: "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n", status: 400,
        code: "badRequest"),
      Case(
        name: "no session", request: "GET /api/schema HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 401,
        code: "unauthorized"),
      Case(
        name: "no session, by the name localhost",
        request: "GET /api/schema HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", status: 401,
        code: "unauthorized"),
      Case(
        name: "no session, from the same origin",
        request:
          "GET /api/schema HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Site: same-origin\r\nOrigin: http://HOST\r\n\r\n",
        status: 401, code: "unauthorized"),
      Case(
        name: "no session, for the page", request: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n",
        status: 401, code: nil),
    ]

    @Test func requestsAreRefusedInTheOrderOfTheRules() async throws {
      try await withServer { server async throws in
        for refused in Self.cases {
          let request = refused.request
            .replacing("HOST", with: "127.0.0.1:\(server.port)")
            .replacing("PORT", with: "\(server.port)")
          let answer = try await server.send(request)
          #expect(answer.status == refused.status, "\(refused.name): \(answer.text)")
          #expect(answer.code == refused.code, "\(refused.name): \(answer.text)")
          Self.expectSecurity(of: answer, refused.name)
        }
      }
    }

    static func expectSecurity(of answer: HTTPAnswer, _ name: String) {
      let policy = answer.headers["content-security-policy"]?.first ?? ""
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"), "\(name)")
      #expect(!policy.contains("unsafe"), "\(name)")
      #expect(policy.contains("frame-ancestors 'none'"), "\(name)")
      #expect(answer.headers["x-content-type-options"] == ["nosniff"], "\(name)")
      #expect(answer.headers["referrer-policy"] == ["no-referrer"], "\(name)")
      #expect(answer.headers["cross-origin-resource-policy"] == ["same-origin"], "\(name)")
      #expect(answer.headers["cross-origin-opener-policy"] == ["same-origin"], "\(name)")
      #expect(answer.headers["cache-control"]?.count == 1, "\(name)")
      #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control") }, "\(name)")
    }

    @Test func methodsThatAreAllowedAreNamed() async throws {
      try await withServer { server async throws in
        let answer = try await server.get("/", method: "DELETE")
        #expect(answer.headers["allow"] == ["GET, HEAD"])
      }
    }

    @Test func allAnswersHaveTheHeaders() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for target in [
          "/", "/api/schema", "/api/rows?table=package", "/api/rows?table=nope", "/nope",
          "/api/rows?table=package&version=99", "/api/rows?table=package&typo=1",
          "/api/cell?table=package&at=0&column=name",
        ] {
          let answer = try await server.get(target, cookie: cookie)
          Self.expectSecurity(of: answer, target)
          let head = try await server.get(target, cookie: cookie, method: "HEAD")
          #expect(head.status == answer.status, "\(target)")
          Self.expectSecurity(of: head, target)
        }
      }
    }

    @Test(arguments: [
      ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("127.0.0.1.evil.example", false), ("128.0.0.1", false), ("0.0.0.0", false), ("::", false),
      ("localhost", false), ("127.0.0", false), ("127.0.0.256", false),
    ]) func loopbackAddressesAreKnown(_ address: String, _ isLoopback: Bool) {
      #expect(GateRules.isLoopback(address) == isLoopback)
    }

    @Test(
      arguments: [
        ("a.example", "a.example", nil), ("a.example:80", "a.example", 80),
        ("[::1]:8420", "[::1]", 8420),
        ("[::1]", "[::1]", nil),
      ] as [(String, String, Int?)]) func hostsAreSplit(
        _ host: String, _ name: String, _ port: Int?
      )
    {
      #expect(GateRules.parts(of: host)?.name == name)
      #expect(GateRules.parts(of: host)?.port == port)
    }

    @Test(arguments: ["", ":80", "a:", "a:b", "a:99999", "[::1", "[::1]x", "a:80:80"])
    func whatIsNoHostIsNone(_ host: String) { #expect(GateRules.parts(of: host) == nil) }

    @Test func namesThatAreAllowedPass() async throws {
      try await withServer { options in
        options.allowedHosts = ["box.example", "Other.example:8443"]
      } _: { server async throws in
        for (host, status) in [
          ("box.example", 401), ("BOX.example:77", 401), ("other.example:8443", 401),
          ("other.example", 421), ("sub.box.example", 421), ("box.example.", 421),
        ] {
          let answer = try await server.send("GET /api/schema HTTP/1.1\r\nHost: \(host)\r\n\r\n")
          #expect(answer.status == status, "\(host)")
        }
      }
    }

    /// A refusal that came behind an answer that is under way would be mixed up with it.
    @Test func whatFollowsAnOpenAnswerClosesTheConnection() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await RawConnection.with(port: server.port) { connection in
          let head =
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nCookie: \(cookie)\r\n\r\n"
          try await connection.write(Array((head + "POST / HTTP/1.1\r\nHost: x\r\n\r\n").utf8))
          let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
          #expect(!text.contains("405"))
          #expect(connection.isClosed)
        }
      }
    }
  }
#endif
