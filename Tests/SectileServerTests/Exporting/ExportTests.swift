#if Server
  import Foundation
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Testing

  @testable import SectileServer

  /// All rows of a request as a file.
  @Suite(.timeLimit(.minutes(60))) struct ExportTests {
    private typealias Row = [String: Any]

    /// The rows of an export in lines of JSON, as texts.
    private static func lines(
      _ server: RunningServer, _ request: String, _ cookie: String
    ) async throws -> [String] {
      let answer = try await server.get("/api/export?\(request)&format=ndjson", cookie: cookie)
      #expect(answer.status == 200, "\(answer.text.prefix(300))")
      return answer.text.split(separator: "\n").map(String.init)
    }

    /// The rows that the route of rows gives, page by page, in the same form.
    private static func fetched(
      _ server: RunningServer, _ request: String, _ cookie: String
    ) async throws -> [String] {
      var rows: [String] = []
      while true {
        let page = try await server.json(
          "/api/rows?\(request)&from=\(rows.count)&count=50", cookie: cookie)
        let columns = try #require(page["columns"] as? [String])
        let read = page["rows"] as? [Row] ?? []
        if read.isEmpty { return rows }
        for row in read {
          let cells = try #require(row["cells"] as? [Any])
          rows.append(try canonical(Dictionary(uniqueKeysWithValues: zip(columns, cells))))
        }
      }
    }

    /// A row as text that is the same for the same values.
    private static func canonical(_ row: Row) throws -> String {
      let data = try JSONSerialization.data(withJSONObject: row, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }

    private static func canonical(_ line: String) throws -> String {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Row
      return try canonical(try #require(row))
    }

    @Test(arguments: [
      "table=package", "table=package&section-by=section&sort=size+DESC",
      "table=package&where=size+%3E+20&column=name&column=id&sort=name",
      "table=package&sort=size&limit=17", "table=package&where=id+%3C+0",
      "sql=SELECT+section,+count(*)+AS+n+FROM+package+GROUP+BY+section&sort=n+DESC",
      "table=sections&sort=n", "table=loose&sort=a",
    ])
    func rowsAreThoseOfTheView(request: String) async throws {
      let schema =
        RunningServer.packages(230) + [
          """
          CREATE VIEW sections AS
          SELECT section, count(*) AS n FROM package GROUP BY section
          """,
          "CREATE TABLE loose (a, b)",
          "INSERT INTO loose VALUES (1, 'x'), (NULL, x'00ff'), ('t', 9223372036854775807), (1, 2)",
        ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        // Once without a view that is open, and once with one.
        for _ in 0..<2 {
          let lines = try await Self.lines(server, request, cookie)
          let rows = try await Self.fetched(server, request, cookie)
          #expect(try lines.map { try Self.canonical($0) } == rows)
        }
      }
    }

    @Test func formatsAreThoseOfTheCommand() async throws {
      let schema = [
        "CREATE TABLE \"odd \"\"name\" (id INTEGER PRIMARY KEY, t TEXT, n NUMERIC)",
        "INSERT INTO \"odd \"\"name\" VALUES (1, 'a,\"b\"', NULL), (2, '', 'text'), (3, x'00ff', 1.5)",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        func export(_ format: String) async throws -> HTTPAnswer {
          try await server.get("/api/export?table=odd+%22name\(format)", cookie: cookie)
        }
        let csv = try await export("")
        #expect(csv.text == "id,t,n\r\n1,\"a,\"\"b\"\"\",\r\n2,\"\",\"text\"\r\n3,x'00ff',1.5\r\n")
        #expect(csv.headers["content-type"] == ["text/csv; charset=utf-8; header=present"])
        #expect(
          csv.headers["content-disposition"] == ["attachment; filename=\"odd__name.csv\""])
        #expect(csv.headers["transfer-encoding"] == ["chunked"])
        #expect(csv.headers["x-content-type-options"] == ["nosniff"])
        let tsv = try await export("&format=tsv")
        #expect(tsv.text == "id\tt\tn\n1\t\"a,\"\"b\"\"\"\t\n2\t\"\"\t\"text\"\n3\tx'00ff'\t1.5\n")
        let json = try await export("&format=json")
        let rows = try JSONSerialization.jsonObject(with: Data(json.body)) as? [Row]
        #expect(rows?.count == 3)
        let sql = try await export("&format=sql")
        #expect(sql.headers["content-disposition"] == ["attachment; filename=\"odd__name.sql\""])
        // What the statements insert is what was there.
        let before = try await export("&format=ndjson").text
        try await server.writer.write {
          try $0.execute("DELETE FROM \"odd \"\"name\"")
          for line in sql.text.split(separator: "\n") { try $0.execute(String(line)) }
        }
        #expect(try await export("&format=ndjson").text == before)
      }
    }

    @Test func anExportWithoutRowsIsWhole() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let texts = ["csv": "name\r\n", "tsv": "name\n", "json": "[]\n", "ndjson": "", "sql": ""]
        for (format, text) in texts {
          let answer = try await server.get(
            "/api/export?table=package&where=0&column=name&format=\(format)", cookie: cookie)
          #expect(answer.status == 200)
          #expect(answer.text == text, "\(format)")
        }
      }
    }

    @Test(arguments: [
      ("", 400), ("table=package&format=xml", 400), ("table=package&format=csv&format=sql", 400),
      ("table=package&from=3", 400), ("table=nope", 404), ("view=nope", 404),
      ("table=package&where=nope", 422), ("table=package&where=1)+UNION+SELECT+(2", 422),
      ("table=package&column=nope", 422), ("table=package&key=nope", 422),
      ("sql=DELETE+FROM+package", 0), ("sql=SELECT+1;+SELECT+2", 0),
      ("sql=ATTACH+'/tmp/x'+AS+x", 0), ("table=package&sql=SELECT+1", 400),
      ("table=package&where=load_extension('x')", 422), ("table=package&sort=id,name", 400),
    ])
    func whatMakesNoSenseIsRefusedBeforeTheFirstByte(query: String, status: Int) async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let target = "/api/export?\(query.replacing("'", with: "%27"))"
        let answer = try await server.get(target, cookie: cookie)
        // Which of both a text that is no SELECT gets is the matter of other tests.
        let allowed = status == 0 ? [400, 422] : [status]
        #expect(allowed.contains(answer.status), "\(answer.text)")
        #expect(answer.code != nil)
        #expect(answer.headers["content-disposition"] == nil)
        #expect(!answer.text.contains(server.folder.file("")))
        // It is refused as the rows would be.
        if !query.contains("format"), !query.contains("from=") {
          let rows = try await server.get(
            "/api/rows?\(query.replacing("'", with: "%27"))", cookie: cookie)
          #expect(rows.status == answer.status)
          #expect(rows.code == answer.code)
        }
        #expect(try await server.get(target).status == 401)
        // Nothing is held by what was refused, and by who asked for the head alone.
        for _ in 0..<6 {
          let isFree = try await comesTrue {
            let head = try await server.get(
              "/api/export?table=package", cookie: cookie, method: "HEAD")
            return head.status == 200
          }
          #expect(isFree)
        }
      }
    }

    @Test func whatTakesTooLongIsRefused() async throws {
      try await withServer {
        $0.queryTime = .milliseconds(300)
      } _: { server async throws in
        let cookie = try await server.cookie()
        let endless =
          "(WITH+RECURSIVE+c(x)+AS+(SELECT+1+UNION+ALL+SELECT+x%2B1+FROM+c)+SELECT+count(*)+FROM+c)"
        let answer = try await server.get(
          "/api/export?table=package&where=\(endless)", cookie: cookie)
        #expect(answer.status == 503)
        #expect(answer.code == "timeout")
      }
    }

    /// The first rows of all are those that the view has, also where its key was found out.
    @Test func rowsAreThoseOfAViewWithTotals() async throws {
      let schema = [
        "CREATE TABLE odd (k TEXT PRIMARY KEY, n)",
        "INSERT INTO odd VALUES ('b', 1), (NULL, 2), ('a', 3), (NULL, 4)",
      ]
      try await withServer(schema) { server async throws in
        let cookie = try await server.cookie()
        let rows = try await Self.fetched(
          server, "table=odd&limit=2&aggregate=sum(n)", cookie)
        #expect(rows.count == 2)
        let lines = try await Self.lines(server, "table=odd&limit=2", cookie)
        #expect(try lines.map { try Self.canonical($0) } == rows)
      }
    }

    @Test(arguments: [
      ("package", "attachment; filename=\"package.csv\""),
      ("../../etc/passwd", "attachment; filename=\"______etc_passwd.csv\""),
      ("a\"; filename=x.exe\r\nX: y", "attachment; filename=\"a___filename_x_exe__X__y.csv\""),
      ("", "attachment; filename=\"export.csv\""),
      ("Straße", "attachment; filename=\"Stra_e.csv\"; filename*=UTF-8''Stra%C3%9Fe.csv"),
      ("a\u{202E}b\u{0}c", "attachment; filename=\"a_b_c.csv\""),
      (
        String(repeating: "x", count: 300),
        "attachment; filename=\"\(String(repeating: "x", count: 64)).csv\""
      ),
    ])
    func namesOfFilesAreSafe(table: String, disposition: String) {
      #expect(ExportFormat.csv.disposition(of: table) == disposition)
    }
  }
#endif
