#if Server
  import Foundation
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// What the rows are called that keys lead to, and how many rows refer to one.
  @Suite(.timeLimit(.minutes(60))) struct LabelsTests {
    private static let schema = [
      "CREATE TABLE artist (id INTEGER PRIMARY KEY, code TEXT, name TEXT COLLATE NOCASE, born)",
      "INSERT INTO artist VALUES (1, 'a', 'Ann', 1970), (2, 'b', NULL, NULL)",
      "INSERT INTO artist VALUES (3, 'c', CAST(x'ff41' AS TEXT), zeroblob(600))",
      "CREATE TABLE \"odd \"\"one\" (a INTEGER, b BLOB, \"it's\" TEXT, PRIMARY KEY (a, b))",
      "INSERT INTO \"odd \"\"one\" VALUES (1, x'00ff', 'first'), (9007199254740993, 'x', 'second')",
      "CREATE TABLE album (id INTEGER PRIMARY KEY, artist INTEGER REFERENCES artist, title TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
      INSERT INTO album SELECT i, CASE WHEN i <= 1001 THEN 1 WHEN i <= 1201 THEN 2 END, 'x' FROM n
      """,
    ]

    private static func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func target(
      _ route: String, _ table: String, _ keys: String, _ rest: String = ""
    ) -> String {
      "/api/\(route)?table=\(encoded(table))&keys=\(encoded(keys))\(rest)"
    }

    private static func labels(_ answer: [String: Any]) -> [String] {
      (answer["rows"] as? [Any] ?? []).map { row in
        guard let row = row as? [String: Any] else { return "none" }
        return row["label"].map { $0 is NSNull ? "NULL" : "\($0)" } ?? "?"
      }
    }

    @Test func labelsAreThoseOfTheRows() async throws {
      try await withServer(Self.schema) { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.json(
          Self.target("labels", "ARTIST", "[[1],[7],[2],[1],[null],[\"1\"],[1.5]]"), cookie: cookie)
        // The text '1' is 1 to a column of integers, as it is where the foreign key is checked.
        #expect(Self.labels(answer) == ["Ann", "none", "NULL", "Ann", "none", "Ann", "none"])
        #expect(answer["label"] as? String == "name")
        #expect(answer["isComplete"] as? Bool == true)
        let chosen = try await server.json(
          Self.target("labels", "artist", "[[1],[2]]", "&label=CODE"), cookie: cookie)
        #expect(Self.labels(chosen) == ["a", "b"])
        #expect(chosen["label"] as? String == "code")
        // By another column, with its collation.
        let byName = try await server.json(
          Self.target("labels", "artist", "[[\"ANN\"]]", "&column=name"), cookie: cookie)
        #expect(Self.labels(byName) == ["a"])
        // Somebody else's commit is seen by the next question.
        try await server.writer.write {
          try $0.execute("UPDATE artist SET name = 'Bob' WHERE id = 2")
        }
        let later = try await server.json(
          Self.target("labels", "artist", "[[2]]"), cookie: cookie)
        #expect(Self.labels(later) == ["Bob"])
      }
    }

    @Test func labelsOfOddValuesAreWrittenAsInRows() async throws {
      try await withServer(Self.schema) { server async throws in
        let cookie = try await server.cookie()
        let bytes = try await server.get(
          Self.target("labels", "artist", "[[3]]"), cookie: cookie)
        #expect(bytes.text.contains("{\"label\":{\"$text\":\"ff41\"}}"))
        let cut = try await server.get(
          Self.target("labels", "artist", "[[3]]", "&label=born"), cookie: cookie)
        #expect(cut.text.contains("{\"$cut\":\"blob\",\"length\":600,"))
        // A key of several columns.
        let keys =
          #"[[1,{"$blob":"00ff"}],[{"$integer":"9007199254740993"},"x"],[1,"x"]]"#
        let composite = try await server.json(
          Self.target("labels", "odd \"one", keys), cookie: cookie)
        #expect(Self.labels(composite) == ["first", "second", "none"])
        #expect(composite["label"] as? String == "it's")
      }
    }

    @Test func referencesAreCountedUpToALimit() async throws {
      try await withServer(Self.schema) {
        $0.lookupTime = .seconds(3_600)
      } _: { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.json(
          Self.target("references", "album", "[[1],[2],[3],[null]]", "&column=artist"),
          cookie: cookie)
        let counts = answer["counts"] as? [[String: Any]] ?? []
        #expect(counts.compactMap { $0["count"] as? Int } == [1_000, 200, 0, 0])
        #expect(counts.compactMap { $0["isMore"] as? Bool } == [true, false, false, false])
        // As many as a fetch finds.
        let rows = try await server.json("/api/rows?table=album&where=artist=2", cookie: cookie)
        #expect(rows["total"] as? Int == 200)
      }
    }

    /// Columns without an index are searched, but not for ever.
    @Test func lookingForRowsEnds() async throws {
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS a FROM n"
      let schema = ["CREATE VIEW endless AS \(endless)"]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let labels = try await server.json(
          Self.target("labels", "endless", "[[-1],[1]]", "&column=a"), cookie: cookie)
        #expect(labels["isComplete"] as? Bool == false)
        #expect(Self.labels(labels).isEmpty)
        let references = try await server.json(
          Self.target("references", "endless", "[[3],[1]]", "&column=a"), cookie: cookie)
        let counts = references["counts"] as? [[String: Any]] ?? []
        #expect(counts.compactMap { $0["count"] as? Int } == [1, 0])
        #expect(counts.compactMap { $0["isMore"] as? Bool } == [true, true])
      }
    }

    @Test(arguments: [
      ("table=artist", 400), ("keys=[[1]]", 400), ("table=artist&keys=nonsense", 400),
      ("table=artist&keys=[1]", 400), ("table=artist&keys=[[true]]", 400),
      ("table=artist&keys=[[%7B%22$blob%22:%22f%22%7D]]", 400),
      ("table=artist&keys=[[1,2]]", 400), ("table=artist&keys=[[]]", 400),
      ("table=artist&table=album&keys=[[1]]", 400), ("table=artist&keys=[[1]]&where=1", 400),
      ("table=nope&keys=[[1]]", 404), ("table=artist&column=nope&keys=[[1]]", 422),
      ("table=artist&column=id%22%20OR%20%221&keys=[[1]]", 422),
      ("table=artist%22%20--&keys=[[1]]", 404), ("table=artist&keys=[[%22'%20OR%201%22]]", 200),
      ("table=artist&keys=[]", 200),
    ]) func hostileParametersAreRefused(parameters: String, status: Int) async throws {
      try await withServer(Self.schema) { server async throws in
        let cookie = try await server.cookie()
        for route in ["labels", "references"] {
          let answer = try await server.get("/api/\(route)?\(parameters)", cookie: cookie)
          #expect(answer.status == status, "\(route): \(answer.text)")
        }
      }
    }

    @Test func moreKeysThanALimitAreRefused() async throws {
      try await withServer(Self.schema) { server async throws in
        let cookie = try await server.cookie()
        for (count, status) in [(200, 200), (201, 400)] {
          let keys = "[\(Array(repeating: "[1]", count: count).joined(separator: ","))]"
          for route in ["labels", "references"] {
            let answer = try await server.get(
              Self.target(route, "artist", keys), cookie: cookie)
            #expect(answer.status == status, "\(route)")
          }
        }
        let label = try await server.get(
          Self.target("labels", "artist", "[[1]]", "&label=nope"), cookie: cookie)
        #expect(label.status == 422)
      }
    }
  }
#endif
