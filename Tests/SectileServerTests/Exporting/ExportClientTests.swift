#if Server
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Testing

  /// Exports whose clients take their time, or go away.
  @Suite(.timeLimit(.minutes(60))) struct ExportClientTests {
    /// More than all buffers between the two take.
    private static let large = [
      "CREATE TABLE large (id INTEGER PRIMARY KEY, text TEXT)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO large SELECT i, hex(zeroblob(500000)) FROM n
      """,
    ]

    /// A slow machine is no client that does not read.
    private static func wait(_ options: inout ServingOptions) {
      options.writeTime = .seconds(3_600)
      options.exportTime = .seconds(3_600)
    }

    /// Begins an export that is not read, and hands on the connection.
    private static func withUnread(
      _ server: RunningServer, _ cookie: String, _ body: (RawConnection) async throws -> Void
    ) async throws {
      try await RawConnection.with(port: server.port, receiveBuffer: 4096) { connection in
        let head =
          "GET /api/export?table=large&format=ndjson HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
          + "Cookie: \(cookie)\r\n\r\n"
        try await connection.write(Array(head.utf8))
        #expect(try await connection.head().status == 200)
        try await body(connection)
      }
    }

    @Test func exportsAreLimitedAndEndWithTheirClients() async throws {
      try await withServer(Self.large) {
        Self.wait(&$0)
        $0.exports = 1
      } _: { server async throws in
        let cookie = try await server.cookie()
        let other = "/api/export?table=large&column=id"
        try await Self.withUnread(server, cookie) { _ async throws in
          let answer = try await server.get(other, cookie: cookie)
          #expect(answer.status == 429)
          #expect(answer.code == "tooManyRequests")
          // The page and the rest of the API go on.
          #expect(
            try await server.get("/api/rows?table=large&count=1", cookie: cookie).status == 200)
        }
        // The client has gone.
        let isFree = try await comesTrue {
          try await server.get(other, cookie: cookie).status == 200
        }
        #expect(isFree)
      }
    }

    /// The client stays, and reads nothing.
    @Test func anExportThatNobodyReadsEnds() async throws {
      try await withServer(Self.large) {
        $0.exports = 1
        $0.writeTime = .milliseconds(300)
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await Self.withUnread(server, cookie) { _ async throws in
          let isFree = try await comesTrue {
            try await server.get("/api/export?table=large&column=id", cookie: cookie).status == 200
          }
          #expect(isFree)
        }
      }
    }

    @Test func anExportIsOfOneState() async throws {
      try await withServer(Self.large, Self.wait) { server async throws in
        let cookie = try await server.cookie()
        try await Self.withUnread(server, cookie) { connection async throws in
          // What is written meanwhile is not in it.
          try await server.writer.write {
            try $0.execute("UPDATE large SET text = 'changed'")
            try $0.execute("INSERT INTO large VALUES (1000, 'new')")
          }
          var body: [UInt8] = []
          while let chunk = try await connection.chunk() { body += chunk }
          let text = String(decoding: body, as: UTF8.self)
          #expect(text.split(separator: "\n").count == 40)
          #expect(!text.contains("changed"))
          #expect(!text.contains("new"))
        }
        let now = try await server.get("/api/export?table=large", cookie: cookie)
        #expect(now.text.contains("changed"))
        #expect(now.text.contains("1000,new"))
      }
    }

    /// A part is never taken for the whole: the answer has no end.
    @Test func anExportThatEndsEarlyHasNoEnd() async throws {
      try await withServer(Self.large) {
        $0.exportTime = .zero
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await Self.withUnread(server, cookie) { connection async throws in
          var count = 0
          await #expect(throws: HTTPMistake.self) {
            while let chunk = try await connection.chunk() { count += chunk.count }
          }
          #expect(count < 40_000_000)
        }
      }
    }
  }
#endif
