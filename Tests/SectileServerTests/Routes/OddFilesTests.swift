#if Server
  import Foundation
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// Files with the schemas of programs that people have: the page opens each table and view, or
  /// says why not.
  @Suite(.timeLimit(.minutes(60))) struct OddFilesTests {
    /// Files of which nothing is read where SQLite takes a function for unsafe.
    private static let names = OddFiles.names.filter { name in
      !OddFiles.distrusted.contains { $0.file == name && $0.view == nil }
    }

    @Test(arguments: names)
    func eachTableAndViewOpens(file: String) async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("\(file).sqlite")
      try OddFiles.make(file, at: path)
      var refused = OddFiles.refusals[file] ?? [:]
      refused.merge(OddFiles.notFollowed[file] ?? [:]) { first, _ in first }
      let mayBeUnsafe = OddFiles.distrusted.filter { $0.file == file }.compactMap { $0.view }
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
        // What has no name cannot be asked for.
        for table in tables where !table.isEmpty {
          let request = "table=\(Self.encoded(table))"
          for route in ["sections?\(request)", "rows?\(request)&count=100"] {
            let answer = try await server.get("/api/\(route)", cookie: cookie)
            if let message = expected[table] {
              #expect(answer.status == 422, "\(route): \(answer.text)")
              let said = try answer.object()
              #expect((said["message"] as? String)?.contains(message) == true, "\(answer.text)")
              #expect(said["hint"] is String, "\(answer.text)")
            } else if mayBeUnsafe.contains(table), answer.status == 422 {
              #expect(answer.text.contains("unsafe use of"))
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

    private static func encoded(_ text: String) -> String {
      text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
#endif
