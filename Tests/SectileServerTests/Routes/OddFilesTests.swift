#if Server
  import Foundation
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// Files with the schemas of programs that people have: the page opens each table and view, or
  /// says why not.
  @Suite(.timeLimit(.minutes(60))) struct OddFilesTests {
    @Test(arguments: OddFiles.names)
    func eachTableAndViewOpens(file: String) async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("\(file).sqlite")
      try OddFiles.make(file, at: path)
      var refused = OddFiles.refusals[file] ?? [:]
      refused.merge(OddFiles.notFollowed[file] ?? [:]) { first, _ in first }
      let expected = refused
      try await withServer([], { $0.file = path }) { server async throws in
        let cookie = try await server.cookie()
        let schema = try await server.json("/api/schema", cookie: cookie)
        let tables = (schema["tables"] as? [[String: Any]] ?? []).compactMap {
          $0["name"] as? String
        }
        #expect(!tables.isEmpty)
        let strangers = Set(expected.keys).subtracting(tables)
        #expect(strangers.isEmpty)
        for table in tables {
          let request = "table=\(Self.encoded(table))"
          for route in ["sections?\(request)", "rows?\(request)&count=100"] {
            let answer = try await server.get("/api/\(route)", cookie: cookie)
            if let message = expected[table] {
              #expect(answer.status == 422, "\(route): \(answer.text)")
              let said = try answer.object()
              #expect((said["message"] as? String)?.contains(message) == true, "\(answer.text)")
              #expect(said["hint"] is String, "\(answer.text)")
            } else {
              #expect(answer.status == 200, "\(route): \(answer.text.prefix(300))")
            }
          }
        }
      }
    }

    /// A click on the head of a column names the column, whatever its name looks like in SQL.
    @Test(arguments: [
      ("it's", "it's"), ("a\"b", "e'f"), ("a\"b", "c\"d"), ("x;y--z/*", ":q"), ("fields", "a b"),
      ("table", "primary"), ("a.b", "c.d"),
    ])
    func columnsWithOddNamesGroupAndSort(table: String, column: String) async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("curiosities.sqlite")
      try OddFiles.make("curiosities", at: path)
      try await withServer([], { $0.file = path }) { server async throws in
        let cookie = try await server.cookie()
        let (place, name) = (Self.encoded(table), Self.encoded(column))
        for terms in ["section-by=\(name)", "sort=\(name)"] {
          let answer = try await server.get(
            "/api/sections?table=\(place)&\(terms)", cookie: cookie)
          #expect(answer.status == 200, "\(terms): \(answer.text)")
        }
        // What is no column's name is SQL, and has to keep to its place.
        let escape = Self.encoded("1) UNION SELECT (2")
        let refused = try await server.get(
          "/api/sections?table=\(place)&section-by=\(escape)", cookie: cookie)
        #expect(refused.code == "badExpression")
      }
    }

    /// A table and its column may have no letter in their names.
    @Test func emptyNamesAreNames() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("curiosities.sqlite")
      try OddFiles.make("curiosities", at: path)
      try await withServer([], { $0.file = path }) { server async throws in
        let cookie = try await server.cookie()
        for target in [
          "rows?table=", "sections?table=", "cell?table=&at=0&column=",
          "facets?table=&column=", "rows?table=&sql=SELECT%201%20AS%20a&key=a",
        ] {
          let answer = try await server.get("/api/\(target)", cookie: cookie)
          #expect(answer.status == 200, "\(target): \(answer.text)")
        }
        let facets = try await server.json("/api/facets?table=&column=", cookie: cookie)
        #expect(facets["column"] as? String == "")
        #expect(facets["distinct"] as? Int == 2)
      }
      // Elsewhere they name what is not there.
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let none = try await server.get("/api/rows?table=", cookie: cookie)
        #expect(none.status == 404)
        #expect(none.code == "noSuchTable")
      }
    }

    /// A collation of the file's program is told by its name, with what does instead.
    @Test(arguments: ["sort", "section-by"])
    func aMissingCollationIsTold(parameter: String) async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("anki.sqlite")
      try OddFiles.make("anki", at: path)
      try await withServer([], { $0.file = path }) { server async throws in
        let cookie = try await server.cookie()
        let route = "/api/sections?table=decks&\(parameter)="
        let refused = try await server.get("\(route)name", cookie: cookie)
        #expect(refused.status == 422)
        let said = try refused.object()
        let hint = try #require(said["hint"] as? String)
        #expect(hint.contains("brings the collation unicase"))
        #expect(hint.contains("COLLATE NOCASE"))
        #expect(!hint.contains("SELECT"))
        let instead = try await server.get("\(route)name%20COLLATE%20NOCASE", cookie: cookie)
        #expect(instead.status == 200, "\(instead.text)")
      }
    }

    private static func encoded(_ text: String) -> String {
      text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
#endif
