#if Server
  import Foundation
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// Sections, rows and cells over HTTP.
  @Suite(.timeLimit(.minutes(60))) struct RowsTests {
    @Test func rowsAreThoseOfTheVersion() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let request = "table=package&section-by=section&sort=name+DESC"
        let sections = try await server.json("/api/sections?\(request)", cookie: cookie)
        #expect(sections["total"] as? Int == 12)
        #expect((sections["sections"] as? [Any])?.count == 7)
        let version = try #require(sections["version"] as? Int)
        let before = try await server.json(
          "/api/rows?\(request)&version=\(version)&from=2&count=3", cookie: cookie)
        #expect(before["version"] as? Int == version)
        #expect(before["columns"] as? [String] == ["id", "name", "section", "size", "note"])
        // Sections s0: 7; s1: 8, 1; s2: 9, 2.
        #expect(Self.ids(before) == [1, 9, 2])

        try await server.writer.write {
          try $0.execute("UPDATE package SET name = 'x' WHERE id = 7")
        }
        let now = try await Self.newVersion(server, cookie, request, after: version)
        // A row of the former version that nobody touched can be read, at its place then.
        let held = try await server.json(
          "/api/rows?\(request)&version=\(version)&from=2&count=3", cookie: cookie)
        #expect(Self.ids(held) == [1, 9, 2])
        // The one that was overwritten is nowhere any more.
        let gone = try await server.get(
          "/api/rows?\(request)&version=\(version)&from=0&count=1", cookie: cookie)
        #expect(gone.status == 410)
        #expect(gone.code == "gone")
        #expect(try gone.object()["version"] as? Int == now)
        #expect(
          try await server.get("/api/rows?\(request)&version=77", cookie: cookie).status == 410)
      }
    }

    /// Numbers of versions begin anew with other contents: who stands somewhere is not given rows
    /// of those as if they were its own.
    @Test func rowsOfOtherContentsThanTheClientsAreGone() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let request = "table=package&sort=name"
        try await EventStreamTests.withStream(server, cookie, "/api/events?\(request)") {
          client, _ async throws in
          try await client.reach(1)
          let rows = "/api/rows?\(request)&after=\(client.lastID)"
          let cell = "/api/cell?\(request)&after=\(client.lastID)&at=0&column=name"
          #expect(try await server.json(rows, cookie: cookie)["total"] as? Int == 12)
          #expect(try await server.get(cell, cookie: cookie).status == 200)
          // Versions that follow from where it stands are its own.
          try await server.writer.write {
            try $0.execute("UPDATE package SET name = 'a' WHERE id = 7")
          }
          let version = try await Self.newVersion(server, cookie, request, after: 1)
          let later = try await server.json(rows, cookie: cookie)
          #expect((later["version"] as? Int ?? 0) >= version)
          #expect(Self.ids(later).first == 7)
          #expect(try await server.get(cell, cookie: cookie).text == "a")
          for stranger in ["nonsense", "AgCqRuvnwaORSXmnMWBBM3f6AqdzG0Q"] {
            for target in ["rows?\(request)", "cell?\(request)&at=0&column=name"] {
              let answer = try await server.get(
                "/api/\(target)&after=\(stranger)", cookie: cookie)
              #expect(answer.status == 410)
              #expect(answer.code == "gone")
              #expect(answer.text.contains("given anew"))
            }
          }
          // The rows have other columns: they are given anew.
          try await server.writer.write {
            try $0.execute("ALTER TABLE package ADD COLUMN extra TEXT")
          }
          let areGone = try await comesTrue {
            try await server.get(rows, cookie: cookie).status == 410
          }
          #expect(areGone)
          #expect(try await server.get(cell, cookie: cookie).status == 410)
          let all = try await server.json("/api/rows?\(request)", cookie: cookie)
          #expect((all["columns"] as? [String])?.last == "extra")
        }
      }
    }

    /// A SELECT takes the place of a table; its rows are followed as those of a table are.
    @Test func rowsOfASelectAreThoseOfTheVersion() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let request =
          "sql=SELECT+section,+count(*)+AS+n,+sum(size)+AS+size+FROM+package+GROUP+BY+section;"
          + "&where=n+%3E+1&sort=n+DESC&aggregate=sum(n)"
        let sections = try await server.json("/api/sections?\(request)", cookie: cookie)
        let version = try #require(sections["version"] as? Int)
        #expect(sections["total"] as? Int == 5)
        let before = try await server.json("/api/rows?\(request)&count=1", cookie: cookie)
        #expect(before["columns"] as? [String] == ["section", "n", "size"])
        try await server.writer.write {
          try $0.execute("UPDATE package SET section = 's6' WHERE section = 's1'")
        }
        _ = try await Self.newVersion(server, cookie, request, after: version)
        let rows = try await server.json("/api/rows?\(request)&count=1", cookie: cookie)
        let first = (rows["rows"] as? [[String: Any]])?.first
        #expect((first?["cells"] as? [Any])?.first as? String == "s6")
        let explained = try await server.json("/api/explain?\(request)", cookie: cookie)
        #expect(explained["table"] as? String == "query")
        let views = try await server.json("/api/stats", cookie: cookie)["views"] as? [[String: Any]]
        let selects = (views ?? []).compactMap {
          ($0["request"] as? [String: Any])?["sql"] as? String
        }
        #expect(selects.contains { $0.hasPrefix("SELECT section") })
        #expect(explained["columns"] as? [String] == ["section", "n", "size"])
        #expect(explained["key"] as? [String] == ["section"])
        // Where nothing tells its rows apart, their places do.
        let target = "sql=SELECT+size+%2B+1+AS+s+FROM+package"
        let places = try await server.json("/api/rows?\(target)&sort=s+DESC", cookie: cookie)
        #expect(Set(Self.ids(places)) == Set(1...Self.ids(places).count))
        let asked = try await server.json("/api/explain?\(target)", cookie: cookie)
        #expect(asked["key"] as? [String] == [])
        #expect(try await server.get("/api/rows?\(target)&key=s", cookie: cookie).status == 200)
        let both = try await server.get("/api/rows?table=package&\(request)", cookie: cookie)
        #expect(both.status == 400)
      }
    }

    private static func ids(_ answer: [String: Any]) -> [Int] {
      (answer["rows"] as? [[String: Any]] ?? []).compactMap { ($0["id"] as? [Int])?.first }
    }

    static func newVersion(
      _ server: RunningServer, _ cookie: String, _ request: String, after version: Int
    ) async throws -> Int {
      while true {
        let now = try await server.json("/api/sections?\(request)", cookie: cookie)
        if let now = now["version"] as? Int, now > version { return now }
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    /// Nothing interrupts a function while it makes a value.
    @Test(arguments: [
      "length(randomblob(900000000))>0", "length(zeroblob(900000000))>0",
      "length(quote(zeroblob(60000000)))>0", "length(replace(hex(zeroblob(9000000)),'0','0000'))>0",
      // None of the values is large, but comparing each part of one with the other takes hours.
      "instr(hex(zeroblob(9000000)),hex(zeroblob(4000000))%7C%7C'1')=0",
      "length(trim(hex(zeroblob(9000000)),hex(zeroblob(4000000))%7C%7C'1'))>0",
      "length(replace(hex(zeroblob(9000000)),hex(zeroblob(4000000))%7C%7C'1',''))>0",
    ]) func valuesThatAreTooLargeAreRefused(condition: String) async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for target in ["rows?table=package&where=", "rows?table=package&section-by="] {
          let answer = try await server.get("/api/\(target)\(condition)", cookie: cookie)
          #expect(answer.status == 422)
          #expect(answer.text.contains("larger than the server reads or works out"))
          #expect(!answer.text.contains(server.folder.file("")))
        }
        // What is below the limit is worked out.
        let small = "length(printf('%25.*c',1000000,'x'))=1000000"
        let rows = try await server.json("/api/rows?table=package&where=\(small)", cookie: cookie)
        #expect(rows["total"] as? Int == 12)
      }
    }

    @Test func longPatternsAreRefused() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        for (length, status) in [(200, 200), (300, 422)] {
          let pattern = String(repeating: "x", count: length)
          for condition in ["name+LIKE+'\(pattern)'", "name+GLOB+'\(pattern)'"] {
            let answer = try await server.get(
              "/api/rows?table=package&where=\(condition)", cookie: cookie)
            #expect(answer.status == status, "\(answer.text)")
          }
        }
      }
    }

    /// The key of a view is found in its text; where it is not UTF-8 some day, places do.
    @Test func rowsOfAViewAreToldApartByTheKeyOfItsText() async throws {
      let schema = [
        "CREATE TABLE package (code TEXT PRIMARY KEY NOT NULL, name TEXT)",
        "INSERT INTO package VALUES ('a', 'name 1'), ('b', 'name 2')",
        "CREATE VIEW codes AS SELECT name, code FROM package",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let rows = try await server.json("/api/rows?table=codes", cookie: cookie)
        let ids = (rows["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? [String] }
        #expect(ids == [["a"], ["b"]])
        let explained = try await server.json("/api/explain?table=codes", cookie: cookie)
        #expect(explained["key"] as? [String] == ["code"])
        try await server.writer.write {
          try $0.execute("INSERT INTO package VALUES (CAST(x'ff41' AS TEXT), 'name 3')")
        }
        let all = ["name 1", "name 2", "name 3"]
        while true {
          let later = try await server.json("/api/rows?table=codes", cookie: cookie)
          if Self.names(later).sorted() == all { break }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
    }

    @Test func rowsOfAViewAreToldApartByTheirPlaces() async throws {
      let schema =
        RunningServer.packages(5) + [
          "CREATE VIEW names AS SELECT name, size FROM package ORDER BY size DESC"
        ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let request = "table=names&where=size<>3"
        let rows = try await server.json("/api/rows?\(request)", cookie: cookie)
        #expect(rows["columns"] as? [String] == ["name", "size"])
        #expect(Self.ids(rows) == [1, 2, 4, 5])
        #expect(Self.names(rows) == ["name 5", "name 4", "name 2", "name 1"])
        try await server.writer.write {
          try $0.execute("INSERT INTO package (name, size) VALUES ('name 6', 6)")
        }
        _ = try await Self.newVersion(server, cookie, request, after: 1)
        let later = try await server.json("/api/rows?\(request)", cookie: cookie)
        #expect(Self.ids(later) == [1, 2, 3, 5, 6])
        #expect(Self.names(later) == ["name 6", "name 5", "name 4", "name 2", "name 1"])
        let schema = try await server.json("/api/schema", cookie: cookie)
        let tables = schema["tables"] as? [[String: Any]] ?? []
        let view = tables.first { $0["name"] as? String == "names" }
        #expect(view?["followable"] as? Bool == true)
        #expect(view?["key"] as? [String] == [])
        let explained = try await server.get("/api/explain?\(request)", cookie: cookie)
        #expect(explained.status == 200)
        let cell = try await server.get(
          "/api/cell?\(request)&at=1&column=name", cookie: cookie)
        #expect(cell.text == "name 5")
      }
    }

    @Test func rowsWhoseKeyTellsNothingAreToldApartByTheirIDs() async throws {
      let schema = [
        "CREATE TABLE package (code TEXT PRIMARY KEY, name TEXT)",
        "INSERT INTO package VALUES (NULL, 'a'), (NULL, 'b'), (CAST(x'ff41' AS TEXT), 'c')",
        "CREATE TABLE sound (code TEXT PRIMARY KEY, name TEXT)",
        "INSERT INTO sound VALUES ('x', 'name')",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        for request in ["table=package", "table=package&sort=name+DESC"] {
          let rows = try await server.json("/api/rows?\(request)", cookie: cookie)
          #expect(Set(Self.ids(rows)) == [1, 2, 3])
        }
        // Who names the key is told that it does not do.
        let named = try await server.get("/api/rows?table=package&key=code", cookie: cookie)
        #expect(named.status == 422)
        // One that comes later has whoever follows go on by ids.
        let stream = "/api/events?table=sound"
        try await EventStreamTests.withStream(server, cookie, stream) { client, _ async throws in
          try await client.reach(1)
          let sound = try await server.json("/api/rows?table=sound", cookie: cookie)
          #expect((sound["rows"] as? [[String: Any]])?.first?["id"] as? [String] == ["x"])
          try await server.writer.write {
            try $0.execute("INSERT INTO sound VALUES (NULL, 'later')")
          }
          while client.views[""]?.counts != ["null:2"] {
            _ = try #require(try await client.next())
          }
          let later = try await server.json("/api/rows?table=sound", cookie: cookie)
          #expect(Self.ids(later) == [1, 2])
        }
      }
    }

    /// What groups rows has to be a text for clients; what helps is said, and does.
    @Test func sectionsThatAreNotUTF8AreRefusedWithAHint() async throws {
      let schema = [
        "CREATE TABLE package (id INTEGER PRIMARY KEY, kind TEXT)",
        "INSERT INTO package VALUES (1, CAST(x'ff41' AS TEXT)), (2, 'b')",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        for route in ["sections", "rows"] {
          let refused = try await server.get(
            "/api/\(route)?table=package&section-by=kind", cookie: cookie)
          #expect(refused.status == 422, "\(refused.text)")
          #expect(refused.code == "sqlRefused")
          #expect(refused.text.contains("not UTF-8") && refused.text.contains("hex("))
        }
        let rows = try await server.json(
          "/api/rows?table=package&section-by=hex%28kind%29", cookie: cookie)
        #expect(Self.ids(rows) == [2, 1])
      }
    }

    private static func names(_ answer: [String: Any]) -> [String] {
      (answer["rows"] as? [[String: Any]] ?? []).compactMap {
        ($0["cells"] as? [Any])?.first as? String
      }
    }

    @Test func longValuesAreCutAndReadWhole() async throws {
      let schema = [
        "CREATE TABLE odd (id INTEGER PRIMARY KEY, text TEXT, blob BLOB)",
        "INSERT INTO odd VALUES (1, replace(hex(zeroblob(2500)), '0', 'ä'), zeroblob(3000))",
        "INSERT INTO odd VALUES (2, CAST(x'ff00' AS TEXT), x'89504E470D0A1A0A')",
        "INSERT INTO odd VALUES (9007199254740993, '<script>', 'a' || char(0) || 'b')",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.get("/api/rows?table=odd", cookie: cookie)
        let rows = try #require(try answer.object()["rows"] as? [[String: Any]])
        let cells = rows.map { $0["cells"] as? [Any] ?? [] }
        let text = try #require(cells[0][1] as? [String: Any])
        #expect(text["$cut"] as? String == "text")
        #expect(text["length"] as? Int == 10_000)
        #expect((text["head"] as? String) == String(repeating: "ä", count: 512))
        let blob = try #require(cells[0][2] as? [String: Any])
        #expect(blob["$cut"] as? String == "blob")
        #expect(blob["length"] as? Int == 3_000)
        #expect((blob["head"] as? String)?.count == 128)
        #expect((cells[1][1] as? [String: String]) == ["$text": "ff00"])
        #expect((cells[1][2] as? [String: String]) == ["$blob": "89504e470d0a1a0a"])
        #expect((cells[2][0] as? [String: String]) == ["$integer": "9007199254740993"])
        #expect(answer.text.contains("\"<script>\""))
        #expect(answer.text.contains("\"a\\u0000b\""))

        let whole = try await server.get("/api/cell?table=odd&at=0&column=text", cookie: cookie)
        #expect(whole.text == String(repeating: "ä", count: 5_000))
        #expect(whole.headers["content-type"] == ["text/plain; charset=utf-8"])
        #expect(whole.headers["x-sectile-type"] == ["text"])
        let picture = try await server.get(
          "/api/cell?table=odd&at=1&column=blob&download=1", cookie: cookie)
        #expect(picture.headers["content-type"] == ["image/png"])
        #expect(picture.headers["content-disposition"] == ["attachment; filename=\"cell.png\""])
        let invalid = try await server.get("/api/cell?table=odd&at=1&column=text", cookie: cookie)
        #expect(invalid.body == [0xFF, 0])
        #expect(invalid.headers["x-sectile-type"] == ["text"])
        #expect(
          try await server.get("/api/cell?table=odd&at=3&column=text", cookie: cookie).status == 404
        )
        #expect(
          try await server.get("/api/cell?table=odd&at=0&column=nope", cookie: cookie).code
            == "noSuchColumn")
      }
    }

    /// Documents that may hold scripts are never what a browser takes them for.
    @Test func nothingThatMayHoldAScriptIsShown() async throws {
      let schema = [
        "CREATE TABLE file (id INTEGER PRIMARY KEY, data)",
        "INSERT INTO file VALUES (1, '<html><script>alert(1)</script>')",
        "INSERT INTO file VALUES (2, CAST('<svg xmlns=\"http://www.w3.org/2000/svg\"/>' AS BLOB))",
        "INSERT INTO file VALUES (3, CAST('%PDF-1.7' AS BLOB))",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        for rank in 0..<3 {
          let answer = try await server.get(
            "/api/cell?table=file&at=\(rank)&column=data", cookie: cookie)
          let type = answer.headers["content-type"]?.first ?? ""
          #expect(["text/plain; charset=utf-8", "application/octet-stream"].contains(type))
        }
      }
    }

    @Test func largeRowsAreAnsweredInPortions() async throws {
      let schema = [
        "CREATE TABLE wide (id INTEGER PRIMARY KEY, \((0..<60).map { "c\($0) TEXT" }.joined(separator: ", ")))",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO wide SELECT i, \((0..<60).map { _ in "hex(zeroblob(250))" }.joined(separator: ", ")) FROM n
        """,
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.get("/api/rows?table=wide&count=300", cookie: cookie)
        #expect(answer.body.count < 5 << 20)
        let rows = try #require(try answer.object()["rows"] as? [Any])
        #expect((1..<300).contains(rows.count))
        let rest = try await server.json(
          "/api/rows?table=wide&count=300&from=\(rows.count)", cookie: cookie)
        #expect(rest["from"] as? Int == rows.count)
        #expect((rest["rows"] as? [Any])?.isEmpty == false)
      }
    }

    @Test func aSumThatIsNoIntegerIsRefused() async throws {
      let schema = [
        "CREATE TABLE big (id INTEGER PRIMARY KEY, size INTEGER)",
        "INSERT INTO big VALUES (1, 9223372036854775807), (2, 1)",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let answer = try await server.get(
          "/api/sections?table=big&aggregate=sum(size)", cookie: cookie)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.code == "sqlRefused")
      }
    }

    @Test func aColumnThatIsNamedTwiceAsTheKeyIsOne() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let rows = try await server.json(
          "/api/rows?table=package&key=id&key=ID&count=1", cookie: cookie)
        #expect((rows["rows"] as? [[String: Any]])?.first?["id"] as? [Int] == [1])
      }
    }

    @Test func mistakesAreRefused() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let expected: [(String, Int, String)] = [
          ("/api/rows", 400, "badRequest"), ("/api/rows?table=nope", 404, "noSuchTable"),
          ("/api/rows?table=package&column=nope", 422, "noSuchColumn"),
          ("/api/rows?table=package&where=nope", 422, "sqlRefused"),
          ("/api/rows?table=package&where=1%29+OR+%281", 422, "badExpression"),
          ("/api/rows?table=package&where=1;DROP+TABLE+package", 422, "badExpression"),
          ("/api/rows?table=package&sort=+", 400, "badSort"),
          ("/api/rows?table=package&sort=name+COLLATE+x%29y", 400, "badSort"),
          ("/api/rows?table=package&aggregate=median%28size%29", 400, "badAggregate"),
          ("/api/rows?table=package&limit=-1", 400, "badLimit"),
          ("/api/rows?table=package&count=1001", 400, "badRequest"),
          ("/api/rows?table=package&from=-1", 400, "badRequest"),
          ("/api/rows?table=package&table=package", 400, "badRequest"),
          ("/api/rows?table=package&were=size", 400, "badRequest"),
          ("/api/rows?table=package&where=1&where=1", 400, "badRequest"),
          ("/api/rows?table=package&count=1&count=1", 400, "badRequest"),
          ("/api/rows?table=package&aggregate=count&aggregate=count", 422, "sqlRefused"),
          ("/api/rows?table=package&key=section", 422, "noKey"),
          ("/api/sections?table=package&key=section&sort=name", 422, "noKey"),
          ("/api/rows?table=%ff", 400, "badRequest"), ("/api/rows?table=%zz", 400, "badRequest"),
          ("/api/rows?table=a%00b", 400, "badRequest"), ("/api/rows?where=1", 400, "badRequest"),
          ("/api/rows?view=x", 404, "notFound"), ("/api/log", 404, "noLog"),
          ("/api/log?since=x", 400, "badRequest"), ("/api/nope", 404, "notFound"),
        ]
        for (target, status, code) in expected {
          let answer = try await server.get(target, cookie: cookie)
          #expect(answer.status == status, "\(target): \(answer.text)")
          #expect(answer.code == code, "\(target): \(answer.text)")
        }
      }
    }
  }
#endif
