#if Server
  import Foundation
  import SectileServer
  import SectileTestHelpers
  import Testing

  @testable import SectileServer

  /// What a client writes as SQL is one expression in its place, reads only, and ends in time.
  @Suite(.timeLimit(.minutes(60))) struct SQLCheckTests {
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
        for sql in [
          "DELETE FROM package", "SELECT id FROM package; DELETE FROM package",
          "SELECT id FROM package) UNION SELECT (2", "PRAGMA query_only=0", "ATTACH 'x' AS y",
          "WITH a AS (SELECT 1 AS id) DELETE FROM package RETURNING id", "VACUUM", "",
          "SELECT load_extension('x') AS id", "SELECT id FROM package WHERE id = ?", "SELECT 1, 1",
          "EXPLAIN SELECT id FROM package", "SELECT readfile('/etc/passwd') AS id",
          "SELECT id FROM package WHERE \(String(repeating: "1 AND ", count: 2_000))1",
        ] {
          var query = URLComponents()
          query.queryItems = [
            URLQueryItem(name: "sql", value: sql), URLQueryItem(name: "key", value: "id"),
          ]
          let answer = try await server.get(
            "/api/rows?\(query.percentEncodedQuery ?? "")", cookie: cookie)
          #expect(
            [400, 422].contains(answer.status),
            "\(sql.prefix(80)): \(answer.status) \(answer.text.prefix(300))")
        }
        // Nothing of it has ended anything, or changed anything.
        let rows = try await server.json("/api/rows?table=package", cookie: cookie)
        #expect(rows["total"] as? Int == 12)
      }
    }

    /// A condition whose value is never known.
    private static let endless =
      "(WITH+RECURSIVE+c(x)+AS+(SELECT+1+UNION+ALL+SELECT+x%2B1+FROM+c)+SELECT+count(*)+FROM+c)"

    /// Nothing stops the query for an hour but the end of the server: who waits for it fails.
    @Test func othersAreServedAndTheServerEndsWhileSomethingTakesLong() async throws {
      let server = try await RunningServer {
        $0.queryTime = .seconds(3_600)
        $0.stopTime = .seconds(3_600)
        $0.views = 2
      }
      let cookie = try await server.cookie()
      try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
        client, _ async throws in
        try await client.reach(1)
        let target = "/api/rows?table=package&where=\(Self.endless)"
        let asking = Task { () -> HTTPAnswer? in
          while true {
            let answer = try? await server.get(target, cookie: cookie)
            // It is refused while the second view is another one, which is being answered.
            if answer?.status != 429 { return answer }
          }
        }
        // When there is no room for another one, the second view is this one.
        let isBeingRead = try await comesTrue {
          try await server.get("/api/rows?table=package&limit=5", cookie: cookie).status == 429
        }
        #expect(isBeingRead)
        // Others are served meanwhile.
        #expect(try await server.get("/api/rows?table=package", cookie: cookie).status == 200)
        try await server.writer.write { try $0.execute("DELETE FROM package WHERE id = 1") }
        try await client.reach(2)
        try await server.stop()
        #expect(await asking.value?.status != 200)
      }
      try await server.writer.close()
    }

    @Test func whatTakesTooLongIsStopped() async throws {
      try await withServer {
        $0.queryTime = .milliseconds(300)
      } _: { server async throws in
        let cookie = try await server.cookie()
        for name in ["where", "sort", "section-by"] {
          let answer = try await server.get(
            "/api/rows?table=package&\(name)=\(Self.endless)", cookie: cookie)
          #expect(answer.status == 503, "\(name): \(answer.text)")
          #expect(answer.code == "timeout", "\(name): \(answer.text)")
          #expect(answer.headers["retry-after"] == ["1"])
        }
      }
    }
  }
#endif
