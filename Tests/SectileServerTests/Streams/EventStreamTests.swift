#if Server
  import Foundation
  import Sectile
  import SectileServer
  import SectileTestSupport
  import Testing

  /// Streams of events: structure that is told, several views over one, resuming, and ends.
  @Suite(.timeLimit(.minutes(60))) struct EventStreamTests {
    static let request = "table=package&section-by=section&sort=name"

    /// Runs a closure with a client that reads a stream.
    static func withStream<Value: Sendable>(
      _ server: RunningServer, _ cookie: String, _ target: String, after lastID: String? = nil,
      _ body: (EventClient, String) async throws -> Value
    ) async throws -> Value {
      try await RawConnection.with(port: server.port) { connection in
        let client = EventClient(connection)
        let head = try await client.open(
          target, port: server.port, cookie: cookie, lastID: lastID)
        guard head.status == 200 else { throw HTTPMistake(description: "\(head.status)") }
        #expect(head.headers["content-type"] == ["text/event-stream"])
        let first = try await client.next()
        #expect(first?.name == "stream")
        return try await body(client, first?.data["stream"] as? String ?? "")
      }
    }

    /// What a client folds from what it is told, compared with what the server says is there.
    @Test(arguments: [UInt64(1), 2, 3]) func foldedStructureIsThatOfAFreshFetch(seed: UInt64)
      async throws
    {
      try await withServer(RunningServer.packages(60)) { server async throws in
        let cookie = try await server.cookie()
        try await Self.withStream(server, cookie, "/api/events?\(Self.request)") {
          client, _ async throws in
          var random = SeededRandom(seed: seed)
          for _ in 0..<40 {
            try await Self.change(server.writer, &random)
            let expected = try await Self.sections(server.writer)
            var (now, rows): ([String: Any], [String: Any]) = ([:], [:])
            repeat {
              // Until it has looked, the server knows an older version.
              now = try await server.json("/api/sections?\(Self.request)", cookie: cookie)
              rows = try await server.json("/api/rows?\(Self.request)&count=1000", cookie: cookie)
              try await client.reach(rows["version"] as? Int ?? 0)
            } while Self.counts(now) != expected
              || now["version"] as? Int != client.views[""]?.version
              || rows["version"] as? Int != client.views[""]?.version
            #expect(client.views[""]?.counts == expected)
            // The rows whose identities were told stand where they are.
            let ids = (rows["rows"] as? [[String: Any]] ?? []).map {
              FoldedStructure.text($0["id"] ?? NSNull())
            }
            let folded = client.views[""]?.sections.flatMap(\.rows) ?? []
            #expect(folded.count == ids.count)
            for (told, id) in zip(folded, ids) where !told.isEmpty { #expect(told == id) }
          }
        }
      }
    }

    /// What a plain query says.
    private static func sections(_ store: Store) async throws -> [String] {
      try await store.read { transaction in
        try transaction.query(
          "SELECT section, count(*) FROM package GROUP BY section ORDER BY section"
        ).map { row in
          guard case .text(let name) = row.values[0], case .integer(let count) = row.values[1]
          else {
            return "?"
          }
          return "\"\(name)\":\(count)"
        }
      }
    }

    private static func counts(_ answer: [String: Any]) -> [String] {
      (answer["sections"] as? [[String: Any]] ?? []).map { section in
        let header = section["header"] as? [String: Any]
        return "\(FoldedStructure.text(header?["identity"] ?? NSNull())):\(section["count"] ?? 0)"
      }
    }

    private static func change(
      _ store: Store, _ random: inout some RandomNumberGenerator
    ) async throws {
      let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ -> String in
        let id = Int.random(in: 1...80, using: &random)
        let section = "s\(Int.random(in: 0...8, using: &random))"
        let name = "name \(Int.random(in: 0...99, using: &random))"
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: "DELETE FROM package WHERE id = \(id)"
        case 1: "UPDATE package SET section = '\(section)' WHERE id = \(id)"
        case 2: "UPDATE package SET name = '\(name)' WHERE id = \(id)"
        default:
          "INSERT OR REPLACE INTO package VALUES (\(id), '\(name)', '\(section)', \(id), NULL)"
        }
      }
      try await store.write { transaction in
        for statement in statements { try transaction.execute(statement) }
      }
    }

    @Test func structureHasNoItems() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await Self.withStream(server, cookie, "/api/events?\(Self.request)") {
          client, _ async throws in
          let reset = try #require(try await client.next())
          #expect(reset.name == "reset")
          #expect(reset.data["rows"] as? Int == 12)
          let sections = try #require(try await client.next())
          #expect(sections.name == "sections")
          #expect(try await client.next()?.name == "complete")
          try await server.writer.write {
            try $0.execute("INSERT INTO package VALUES (99, 'new', 's1', 1, NULL)")
            try $0.execute("UPDATE package SET size = 5 WHERE id = 3")
          }
          let changes = try #require(try await client.next())
          #expect(changes.name == "changes")
          let rows = try #require(changes.data["rows"] as? [String: [[String: Any]]])
          #expect(rows["inserts"]?.count == 1)
          #expect(rows["updates"]?.count == 1)
          for row in rows.values.joined() { #expect(row["item"] == nil) }
        }
      }
    }

    @Test func itemsAreToldToThoseWhoWantThem() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await Self.withStream(server, cookie, "/api/events?\(Self.request)&items=1") {
          client, _ async throws in
          let rows = try #require(try await client.next(named: "rows"))
          let first = (rows.data["sections"] as? [[String: Any]])?.first?["rows"]
          let item = (first as? [[String: Any]])?.first?["item"] as? [String: Any]
          #expect(item?["name"] as? String == "name 7")
        }
      }
    }

    @Test func clientGoesOnFromWhereItWas() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let target = "/api/events?\(Self.request)"
        let id = try await Self.withStream(server, cookie, target) { client, _ async throws in
          try await client.reach(1)
          return client.lastID
        }
        #expect(!id.isEmpty)
        try await server.writer.write { try $0.execute("DELETE FROM package WHERE id = 1") }
        for (after, lastID) in [(nil, id), (id, nil)] as [(String?, String?)] {
          let target = target + (after.map { "&after=\($0)" } ?? "")
          try await Self.withStream(server, cookie, target, after: lastID) {
            client, _ async throws in
            let first = try await client.next()
            #expect(first?.name == "changes")
          }
        }
        // What is no position, or one of another request, is a reset.
        for (target, id) in [(target, "nonsense"), ("/api/events?table=package", id)] {
          try await Self.withStream(server, cookie, target, after: id) { client, _ async throws in
            #expect(try await client.next()?.name == "reset")
          }
        }
      }
    }

    @Test func severalViewsShareAStream() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await Self.withStream(server, cookie, "/api/events") { client, id in
          func ask(_ rest: String) async throws -> HTTPAnswer {
            try await server.get("/api/events/\(id)/\(rest)", cookie: cookie)
          }
          #expect(try await ask("open?as=a&table=package").status == 200)
          try await client.reach(1, of: "a")
          #expect(client.lastID.split(separator: ":").first?.hasSuffix("a") == true)
          #expect(try await ask("open?as=b&\(Self.request)").status == 200)
          try await client.reach(1, of: "b")
          #expect(client.views["b"]?.counts.count == 7)
          #expect(try await ask("open?as=b&table=package").code == "badRequest")
          #expect(try await ask("open?as=no-name&table=package").code == "badRequest")
          #expect(try await ask("open?as=&table=package").code == "badRequest")
          #expect(try await ask("open?as=c").code == "badRequest")
          #expect(try await ask("open?as=c&table=nope").code == "noSuchTable")

          try await server.writer.write { try $0.execute("DELETE FROM package WHERE id = 1") }
          try await client.reach(2, of: "a")
          try await client.reach(2, of: "b")
          let position = client.lastID.split(separator: " ").first { $0.hasPrefix("b:") }
          #expect(try await ask("close?as=b").status == 200)
          #expect(try await ask("close?as=b").status == 404)
          try await server.writer.write { try $0.execute("DELETE FROM package WHERE id = 2") }
          try await client.reach(3, of: "a")
          #expect(client.views["b"]?.version != 3)
          #expect(!client.lastID.contains("b:"))
          // It comes back with its position, and is told what it missed.
          let after = position?.dropFirst(2) ?? ""
          #expect(try await ask("open?as=b&\(Self.request)&after=\(after)").status == 200)
          let resumed = try await client.next(named: "b.changes")
          #expect(resumed != nil)
          #expect(client.views["b"]?.resets == 1)
        }
      }
    }

    @Test func streamBelongsToItsSession() async throws {
      try await withServer { server async throws in
        let (mine, other) = (try await server.cookie(), try await server.cookie())
        try await Self.withStream(server, mine, "/api/events") { _, id async throws in
          for verb in ["open?as=a&table=package", "close?as=a"] {
            let answer = try await server.get("/api/events/\(id)/\(verb)", cookie: other)
            #expect(answer.status == 404)
            #expect(try await server.get("/api/events/\(id)/\(verb)").status == 401)
          }
        }
      }
    }
  }
#endif
