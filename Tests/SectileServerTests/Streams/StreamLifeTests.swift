#if Server
  import Foundation
  import Sectile
  import SectileServer
  import Testing

  /// How long streams live, how many there are, and what becomes of them where the file is another
  /// one.
  @Suite(.timeLimit(.minutes(60))) struct StreamLifeTests {
    @Test func streamsAndViewsAreLimited() async throws {
      try await withServer {
        $0.streams = 2
        $0.views = 3
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events") { _, id async throws in
          try await EventStreamTests.withStream(server, cookie, "/api/events") {
            _, _ async throws in
            #expect(try await server.get("/api/events", cookie: cookie).code == "tooManyRequests")
            // The page and the rest of the API go on.
            #expect(try await server.get("/api/schema", cookie: cookie).status == 200)
          }
          for limit in 1...3 {
            let answer = try await server.get(
              "/api/events/\(id)/open?as=v\(limit)&table=package&limit=\(limit)", cookie: cookie)
            #expect(answer.status == 200)
          }
          let target = "/api/events/\(id)/open?as=v4&table=package&limit=4"
          #expect(try await server.get(target, cookie: cookie).status == 429)
          #expect(
            try await server.get("/api/rows?table=package&limit=5", cookie: cookie).status == 429)
          // An equal request shares a view; one that is closed leaves room.
          #expect(
            try await server.get("/api/rows?table=package&limit=3", cookie: cookie).status == 200)
          _ = try await server.get("/api/events/\(id)/close?as=v1", cookie: cookie)
          #expect(try await server.get(target, cookie: cookie).status == 200)
        }
        // A stream that is gone leaves room.
        #expect(try await server.streamsLeft(cookie) == 0)
      }
    }

    @Test func silentStreamsHaveHeartbeats() async throws {
      try await withServer {
        $0.heartbeat = .milliseconds(50)
      } _: { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events") { client, id in
          try await client.hear(3)
          #expect(client.heartbeats >= 3)
          // It goes on.
          let target = "/api/events/\(id)/open?as=a&table=package"
          #expect(try await server.get(target, cookie: cookie).status == 200)
          #expect(try await client.next(named: "a.complete") != nil)
        }
      }
    }

    /// A browser hands comments to nobody: what it is told of heartbeats are events, and how often
    /// they come.
    @Test func streamSaysHowOftenItIsHeardOfAndOfWhichFile() async throws {
      func start(of server: RunningServer) async throws -> (heartbeat: Double?, source: String?) {
        let cookie = try await server.cookie()
        return try await RawConnection.with(port: server.port) { connection in
          let client = EventClient(connection)
          _ = try await client.open("/api/events", port: server.port, cookie: cookie)
          let data = try await client.next()?.data ?? [:]
          let schema = try await server.json("/api/schema", cookie: cookie)
          #expect(schema["source"] as? String == data["source"] as? String)
          return (data["heartbeat"] as? Double, data["source"] as? String)
        }
      }
      var sources: Set<String> = []
      for _ in 1...2 {
        try await withServer {
          $0.heartbeat = .milliseconds(1500)
        } _: { server async throws in
          let first = try await start(of: server)
          #expect(first.heartbeat == 1.5)
          let source = try #require(first.source)
          #expect(!source.isEmpty)
          sources.insert(source)
          #expect(try await start(of: server).source == source)
        }
      }
      // Both files are called app.db.
      #expect(sources.count == 2)
    }

    @Test func failureSaysWhatIsWrongAndNotWhereTheFileIs() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
          client, _ async throws in
          try await client.reach(1)
          try await server.writer.write { try $0.execute("DROP TABLE package") }
          let failed = try #require(try await client.next(named: "failed"))
          let message = try #require(failed.data["message"] as? String)
          #expect(message.contains("package"))
          #expect(!message.contains(server.folder.file("")))
          #expect(failed.data["code"] as? String == "sqlRefused")
        }
      }
    }

    @Test func otherSchemaIsToldAndFollowed() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
          client, _ async throws in
          try await client.reach(1)
          try await server.writer.write {
            try $0.execute("ALTER TABLE package ADD COLUMN extra TEXT DEFAULT 'e'")
          }
          var names: Set<String> = []
          while !names.isSuperset(of: ["schema", "complete"]) {
            names.insert(try await client.next()?.name ?? "end")
          }
          #expect(client.views[""]?.resets == 2)
          let rows = try await server.json("/api/rows?table=package", cookie: cookie)
          #expect((rows["columns"] as? [String])?.last == "extra")
        }
      }
    }

    @Test func replacedFileIsReadAnew() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        let other = try await Store.open(at: server.folder.file("other.db"))
        try await other.write { transaction in
          for statement in RunningServer.packages(3) { try transaction.execute(statement) }
        }
        try await other.close()
        try await EventStreamTests.withStream(
          server, cookie, "/api/events?\(EventStreamTests.request)"
        ) {
          client, _ async throws in
          try await client.reach(1)
          try await server.writer.close()
          for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: server.file + suffix)
          }
          #expect(rename(server.folder.file("other.db"), server.file) == 0)
          while client.views[""]?.resets != 2 || client.views[""]?.isWhole != true {
            guard try await client.next() != nil else { break }
          }
          #expect(client.views[""]?.sections.map(\.rows.count).reduce(0, +) == 3)
        }
      }
    }

    /// The server would wait for an hour for one that goes on.
    @Test func streamsEndWithTheServer() async throws {
      let server = try await RunningServer { $0.stopTime = .seconds(3_600) }
      let cookie = try await server.cookie()
      try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
        client, _ async throws in
        try await client.reach(1)
        try await server.stop()
        #expect(try await client.next() == nil)
      }
      try await server.writer.close()
    }

    /// A client that reads nothing is cut off, and costs no memory until then.
    @Test func clientThatDoesNotReadIsCutOff() async throws {
      // More than the system holds for the connection.
      let schema = RunningServer.packages(20_000) + ["UPDATE package SET note = zeroblob(1000)"]
      try await withServer(schema) {
        $0.writeTime = .milliseconds(400)
      } _: {
        server async throws in
        let cookie = try await server.cookie()
        try await RawConnection.with(port: server.port, receiveBuffer: 4096) { connection in
          let client = EventClient(connection)
          let head = try await client.open(
            "/api/events?table=package&items=1", port: server.port, cookie: cookie)
          #expect(head.status == 200)
          #expect(try await server.streamsLeft(cookie) == 0)
        }
      }
    }
  }
#endif
