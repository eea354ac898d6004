#if Server
  import Foundation
  import Hummingbird
  import Logging
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import ServiceLifecycle
  import Testing

  /// Routes in a service's own application, behind its own middleware.
  @Suite(.timeLimit(.minutes(60))) struct LiveRoutesTests {
    private struct Parcel: Entity {
      static let schema = EntitySchema<Parcel>(
        "parcel", primaryKey: "id", attributes: .init("id", \.id), .init("status", \.status))
      var id: Int64
      var status: String

      init(row: inout RowReader) throws {
        id = try row.next()
        status = try row.next()
      }

      func write(to row: inout RowWriter) throws {
        try row.append(id)
        try row.append(status)
      }
    }

    /// Whoever has no key is refused, before any of the routes.
    private struct KeyCheck: RouterMiddleware {
      func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
      ) async throws -> Response {
        guard request.headers[.authorization] != nil else { throw HTTPError(.unauthorized) }
        return try await next(request, context)
      }
    }

    /// Runs a closure with the port of a service that has the routes.
    private func withService(_ body: (Int, Store) async throws -> Void) async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("parcels.sqlite"))
      try await store.write { transaction in
        try transaction.execute(
          "CREATE TABLE parcel (id INTEGER PRIMARY KEY, status TEXT NOT NULL)")
        try transaction.execute("CREATE TABLE secret (id INTEGER PRIMARY KEY, word TEXT)")
        for id in 1...5 {
          try transaction.execute("INSERT INTO parcel VALUES (?, ?)", id, "s\(id % 2)")
        }
      }
      let request = FetchRequest<Parcel>().sectioned(by: \.status).sort(by: \.id)
      let routes = LiveRoutes(of: store, serving: ["parcels": try LiveRequest(request)])
      let router = Router()
      let group = router.group("live").add(middleware: KeyCheck())
      routes.add(to: group) { request, _ in request.headers[.authorization] ?? "" }
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let services = ServiceGroup(
        services: [application, routes],
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let running = Task { try await services.run() }
      var port = 0
      for await first in ports {
        port = first
        break
      }
      do {
        try await body(port, store)
      } catch {
        await services.triggerGracefulShutdown()
        try? await running.value
        throw error
      }
      await services.triggerGracefulShutdown()
      try await running.value
      try await store.close()
    }

    private func ask(
      _ port: Int, _ target: String, key: String? = "a"
    ) async throws -> HTTPAnswer {
      try await RawConnection.with(port: port) { connection in
        var head = "GET \(target) HTTP/1.1\r\nHost: service.example\r\n"
        if let key { head += "Authorization: \(key)\r\n" }
        try await connection.write(Array((head + "\r\n").utf8))
        return try await connection.answer()
      }
    }

    @Test func chosenRequestsAreServedAndNoOthers() async throws {
      try await withService { port, _ in
        let sections = try await ask(port, "/live/sections?view=parcels")
        #expect(sections.status == 200)
        #expect((try sections.object()["sections"] as? [Any])?.count == 2)
        let rows = try await ask(port, "/live/rows?view=parcels&from=1&count=2").object()
        #expect(rows["columns"] as? [String] == ["id", "status"])
        #expect((rows["rows"] as? [Any])?.count == 2)
        #expect(try await ask(port, "/live/cell?view=parcels&at=0&column=status").text == "s0")
        for (target, status) in [
          ("/live/rows?view=secrets", 404), ("/live/rows?table=secret", 403),
          ("/live/rows?view=parcels&where=1", 403), ("/live/sections", 400),
          ("/live/cell?view=parcels&at=0&column=word", 422), ("/live/schema", 404),
          ("/live/log", 404), ("/live/stats", 404), ("/live/explain?view=parcels", 404),
          ("/live/events?table=secret", 403),
        ] {
          let answer = try await ask(port, target)
          #expect(answer.status == status, "\(target): \(answer.text)")
          #expect(!answer.text.contains("parcels.sqlite"), "\(target)")
        }
      }
    }

    @Test func middlewareOfTheServiceComesFirst() async throws {
      try await withService { port, _ in
        for path in ["sections?view=parcels", "events?view=parcels", "rows?view=nope"] {
          let answer = try await ask(port, "/live/\(path)", key: nil)
          #expect(answer.status == 401)
        }
      }
    }

    @Test func streamIsItsOwnersAndEndsWithTheService() async throws {
      try await withService { port, store in
        try await RawConnection.with(port: port) { connection in
          let client = EventClient(connection)
          let head =
            "GET /live/events?view=parcels HTTP/1.1\r\nHost: service.example\r\nAuthorization: a\r\n\r\n"
          try await connection.write(Array(head.utf8))
          #expect(try await connection.head().status == 200)
          let id = try await client.next()?.data["stream"] as? String ?? ""
          try await client.reach(1)
          #expect(client.views[""]?.counts == ["\"s0\":2", "\"s1\":3"])
          try await store.write { try $0.execute("UPDATE parcel SET status = 's0' WHERE id = 1") }
          try await client.reach(2)
          #expect(client.views[""]?.counts == ["\"s0\":3", "\"s1\":2"])
          let open = "/live/events/\(id)/open?as=b&view=parcels"
          #expect(try await ask(port, open, key: "other").status == 404)
          #expect(try await ask(port, open).status == 200)
          try await client.reach(2, of: "b")
        }
      }
    }
  }
#endif
