#if Server
  import SectileServer
  import Testing

  @testable import SectileServer

  /// What a client writes as SQL is one expression in its place, reads only, and ends in time.
  @Suite(.timeLimit(.minutes(5))) struct SQLCheckTests {
    @Test(arguments: [
      ("size > 9", true), ("(a) AND (b)", true), ("a) OR (b", false), ("a", true), ("(a", false),
      ("a)", false), ("a;b", false), ("';'", true), ("'a'';)'", true), ("\"x)\"", true),
      ("[x)]", true), ("`)`", true), ("'", false), ("a -- )", true), ("a /* ) */", true),
      ("a /* )", false), ("a - -1", true), ("a / b", true), ("/* x */ a)", false),
      ("a -- x\n)", false), ("/*/ ) */ a", true),
    ]) func shapeTellsOneExpression(_ sql: String, _ isOne: Bool) {
      #expect(SQLShape(of: sql).isOneExpression == isOne)
    }

    /// None of it is refused by accident: each is one expression that SQLite compiles, or compiles
    /// where it stands.
    @Test func whatDoesMoreThanReadIsRefused() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for sql in [
          "load_extension('x')", "fts3_tokenizer('x')", "1) UNION SELECT (2", "1 LIMIT 1",
          "id IN (SELECT 1; DROP TABLE package)", "ATTACH 'x' AS y", "(ATTACH 'x' AS y)",
          "PRAGMA query_only=0", "(PRAGMA user_version)", "1, 2", "writefile('x', 'y')",
          "readfile('/etc/passwd')", "(INSERT INTO package DEFAULT VALUES)",
          "(DELETE FROM package)",
          "(SELECT 1, 2)", "*", "count(*)", "sum(size) > 1", "?1", ":a", "$a",
        ] {
          var escaped = ""
          for byte in sql.utf8 { escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
          for name in ["where", "sort", "section-by"] {
            // An order or a section by several values, or by what is bound to nothing, is none:
            // some of that is seen before SQLite is asked.
            let answer = try await server.get(
              "/api/rows?table=package&\(name)=\(escaped)", cookie: cookie)
            #expect(
              [400, 422].contains(answer.status),
              "\(name)=\(sql): \(answer.status) \(answer.text.prefix(300))")
          }
        }
        // Nothing of it has ended anything, or changed anything.
        let rows = try await server.json("/api/rows?table=package", cookie: cookie)
        #expect(rows["total"] as? Int == 12)
      }
    }

    @Test func serverEndsWhileSomethingTakesLong() async throws {
      let server = try await RunningServer()
      let cookie = try await server.cookie()
      let asking = Task {
        try? await server.get(
          "/api/rows?table=package&where=(WITH+RECURSIVE+c(x)+AS+(SELECT+1+UNION+ALL+SELECT+x%2B1+FROM+c)+SELECT+count(*)+FROM+c)",
          cookie: cookie)
      }
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      try await server.stop()
      #expect(.now - start < .seconds(5))
      _ = await asking.value
      try await server.writer.close()
    }

    @Test func whatTakesTooLongIsStopped() async throws {
      try await withServer {
        $0.queryTime = .milliseconds(300)
      } _: { server async throws in
        let cookie = try await server.cookie()
        let endless =
          "(WITH+RECURSIVE+c(x)+AS+(SELECT+1+UNION+ALL+SELECT+x%2B1+FROM+c)+SELECT+count(*)+FROM+c)"
        for name in ["where", "sort", "section-by"] {
          let start = ContinuousClock.now
          let asking = Task {
            try await server.get("/api/rows?table=package&\(name)=\(endless)", cookie: cookie)
          }
          // Others are served meanwhile.
          let other = try await server.get("/api/rows?table=package", cookie: cookie)
          #expect(other.status == 200)
          let answer = try await asking.value
          #expect(answer.status == 503, "\(name): \(answer.text)")
          #expect(answer.code == "timeout", "\(name): \(answer.text)")
          #expect(answer.headers["retry-after"] == ["1"])
          #expect(.now - start < .seconds(5))
        }
      }
    }
  }
#endif
