#if Server
  import Foundation
  import Sectile
  import SectileInspecting
  import SectileServer
  import SectileTestHelpers
  import Testing

  @testable import SectileServer

  /// Views are shared, stay for a while, and hold nothing of the file.
  @Suite(.timeLimit(.minutes(60))) struct ViewTableTests {
    private static func views(_ server: RunningServer, _ cookie: String) async throws -> [[String:
      Any]]
    {
      try await server.json("/api/stats", cookie: cookie)["views"] as? [[String: Any]] ?? []
    }

    @Test func equalRequestsShareAViewAndIdleOnesGo() async throws {
      try await withServer {
        $0.graceTime = .milliseconds(300)
      } _: { server async throws in
        let cookie = try await server.cookie()
        let request = EventStreamTests.request
        try await EventStreamTests.withStream(server, cookie, "/api/events?\(request)") {
          first, _ async throws in
          try await first.reach(1)
          try await EventStreamTests.withStream(server, cookie, "/api/events?\(request)") {
            second, _ async throws in
            try await second.reach(1)
            _ = try await server.json("/api/rows?\(request)", cookie: cookie)
            let views = try await Self.views(server, cookie)
            #expect(views.count == 1)
            #expect(views.first?["clients"] as? Int == 2)
            #expect(views.first?["strategy"] as? String == "searching")
          }
          // As long as somebody uses it, it stays; one goes that is newer, and that nobody uses.
          _ = try await server.json("/api/rows?table=package&limit=5", cookie: cookie)
          var limits: [Int?] = []
          let hasGone = try await comesTrue {
            limits = try await Self.views(server, cookie).map { view in
              (view["request"] as? [String: Any])?["limit"] as? Int
            }
            return !limits.contains(5)
          }
          #expect(hasGone)
          #expect(limits == [nil])
        }
        let isEmpty = try await comesTrue { try await Self.views(server, cookie).isEmpty }
        #expect(isEmpty)
      }
    }

    /// Versions that are held keep no reader of the log: it begins anew as without them.
    @Test func heldVersionsLetTheLogBeginAnew() async throws {
      try await withServer { server async throws in
        let cookie = try await server.cookie()
        try await EventStreamTests.withStream(server, cookie, "/api/events?table=package") {
          client, _ async throws in
          for round in 1...8 {
            try await server.writer.write {
              try $0.execute("UPDATE package SET name = ? WHERE id = 1", "round \(round)")
            }
            try await client.reach(1 + round)
            _ = try await server.get("/api/rows?table=package&version=\(round)", cookie: cookie)
          }
          let view = try #require(try await Self.views(server, cookie).first)
          #expect((view["heldVersions"] as? Int ?? 0) > 4)
          #expect((view["store"] as? [String: Any])?["heldViewCount"] as? Int == 0)
          let report = try await server.writer.checkpoint(.truncate)
          #expect(report.isComplete)
        }
      }
    }

    /// Who holds a file without a log open for reading keeps its writers waiting.
    @Test func filesWithoutLogAreNotLocked() async throws {
      try await withServer { server async throws in
        let path = server.folder.file("plain.db")
        let writer = try InspectionConnection(path: path, access: .create, busyTimeout: .seconds(1))
        try writer.run("PRAGMA journal_mode = DELETE") { _ in }
        for statement in RunningServer.packages(3_000) { try writer.run(statement) { _ in } }
        try await withServer([]) {
          $0.file = path
        } _: { other async throws in
          let cookie = try await other.cookie()
          try await EventStreamTests.withStream(
            other, cookie, "/api/events?table=package&items=1"
          ) { client, _ async throws in
            #expect(try await client.next()?.name == "reset")
            for round in 1...5 {
              try writer.run("UPDATE package SET size = \(round) WHERE id = 3000") { _ in }
            }
            // What it is told in the end is what is there.
            while true {
              let rows = try await other.json(
                "/api/rows?table=package&from=2999&count=1", cookie: cookie)
              let cells = (rows["rows"] as? [[String: Any]])?.first?["cells"] as? [Any]
              if cells?[3] as? Int == 5 { break }
              try await Task.sleep(for: .milliseconds(10))
            }
          }
        }
      }
    }
  }
#endif
