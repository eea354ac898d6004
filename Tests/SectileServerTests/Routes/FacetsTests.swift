#if Server
  import Foundation
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// The most frequent values of a column.
  @Suite(.timeLimit(.minutes(60))) struct FacetsTests {
    private static func values(_ answer: [String: Any]) -> [String] {
      (answer["values"] as? [[String: Any]] ?? []).map { entry in
        let value = entry["value"].map { $0 is NSNull ? "NULL" : "\($0)" } ?? "?"
        return "\(value): \(entry["count"] as? Int ?? -1)"
      }
    }

    @Test func countsAreThoseOfSections() async throws {
      try await withServer(RunningServer.packages(30)) { server async throws in
        let cookie = try await server.cookie()
        try await server.writer.write {
          try $0.execute("UPDATE package SET section = NULL WHERE id > 27")
        }
        let answer = try await server.json(
          "/api/facets?table=package&column=SECTION&where=size<>7", cookie: cookie)
        let sections = try await server.json(
          "/api/sections?table=package&section-by=section&where=size<>7", cookie: cookie)
        let expected = (sections["sections"] as? [[String: Any]] ?? []).map { section in
          let header = section["header"] as? [String: Any] ?? [:]
          let identity = header["identity"].map { $0 is NSNull ? "NULL" : "\($0)" } ?? "?"
          return "\(identity): \(section["count"] as? Int ?? -1)"
        }
        #expect(expected.count == 8)
        #expect(Set(Self.values(answer)) == Set(expected))
        let counts = (answer["values"] as? [[String: Any]] ?? []).compactMap { $0["count"] as? Int }
        #expect(counts == counts.sorted(by: >))
        #expect(answer["column"] as? String == "section")
        #expect(answer["rows"] as? Int == 29)
        #expect(answer["distinct"] as? Int == 8)
        #expect(answer["isComplete"] as? Bool == true)
        let few = try await server.json(
          "/api/facets?table=package&column=section&count=2", cookie: cookie)
        #expect(Self.values(few).count == 2)
        #expect(few["distinct"] as? Int == 8)
        #expect(few["rows"] as? Int == 30)
      }
    }

    @Test func rowsOfASelectAndOddValuesAreCounted() async throws {
      let schema = [
        "CREATE TABLE t (\"a \"\"b\" TEXT COLLATE NOCASE, value)",
        "INSERT INTO t VALUES ('x', 1), ('X', 1.0), ('y', x'00'), (CAST(x'ff' AS TEXT), '')",
        "INSERT INTO t VALUES ('z', printf('%.*c', 600, 'x')), ('z', NULL)",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let named = try await server.get(
          "/api/facets?table=t&column=a+%22b&where=value%20IS%20NOT%20NULL", cookie: cookie)
        #expect(named.text.contains("{\"value\":{\"$text\":\"ff\"},\"count\":1}"))
        let answer = try named.object()
        // As SQLite compares the column.
        #expect(answer["distinct"] as? Int == 4)
        #expect(Self.values(answer).first?.lowercased() == "x: 2")
        let odd = try await server.get("/api/facets?table=t&column=value", cookie: cookie)
        #expect(odd.text.contains("{\"$cut\":\"text\",\"length\":600,"))
        #expect(odd.text.contains("{\"value\":{\"$blob\":\"00\"},\"count\":1}"))
        let select = "SELECT+value+AS+v,+count(*)+AS+n+FROM+t+GROUP+BY+value"
        let grouped = try await server.json(
          "/api/facets?sql=\(select)&column=n&where=n%3E0", cookie: cookie)
        #expect(Self.values(grouped) == ["1: 4", "2: 1"])
        let none = try await server.json("/api/facets?table=t&column=value&where=0", cookie: cookie)
        #expect(Self.values(none).isEmpty)
        #expect(none["distinct"] as? Int == 0)
      }
    }

    /// Its first ten thousand rows are found at once, and there is no end of looking for more.
    private static let endless = [
      """
      CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT i % 4 AS part FROM n WHERE i <= 10000
      """
    ]

    /// What has more rows than can be counted in time is counted in part.
    @Test func countingEnds() async throws {
      try await withServer(Self.endless) {
        $0.countTime = .seconds(5)
      } _: { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.json(
          "/api/facets?table=endless&column=part", cookie: cookie)
        #expect(answer["isComplete"] as? Bool == false)
        #expect(answer["rows"] as? Int == 10_000)
        #expect(Self.values(answer) == ["0: 2500", "1: 2500", "2: 2500", "3: 2500"])
      }
    }

    /// Where not even few rows are found, that is said.
    @Test func whatCannotBeCountedIsSaid() async throws {
      try await withServer(Self.endless) {
        $0.countTime = .milliseconds(100)
      } _: { server async throws in
        let never = try await server.get(
          "/api/facets?table=endless&column=part&where=part%3E5", cookie: server.cookie())
        #expect(never.status == 503)
        #expect(never.code == "timeout")
      }
    }

    @Test(arguments: [
      ("table=package", 400), ("column=name", 400), ("table=package&column=name&column=id", 400),
      ("table=package&sql=SELECT+1&column=name", 400), ("table=package&column=name&count=0", 400),
      ("table=package&column=name&count=201", 400), ("table=package&column=name&sort=name", 400),
      ("table=nope&column=name", 404), ("table=package&column=nope", 422),
      ("table=package&column=name%22,%20%221", 422),
      ("table=package&column=name&where=1)%20UNION%20SELECT%20(2", 422),
      ("table=package&column=name&where=1;DELETE%20FROM%20package", 422),
      ("sql=DELETE%20FROM%20package&column=id", 422),
    ]) func hostileParametersAreRefused(parameters: String, status: Int) async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.get("/api/facets?\(parameters)", cookie: cookie)
        #expect(answer.status == status, "\(answer.text)")
      }
    }
  }
#endif
