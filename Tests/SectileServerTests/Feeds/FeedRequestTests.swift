#if Server
  import Foundation
  import Hummingbird
  import Logging
  import Sectile
  import SectileFeed
  import SectileServer
  import SectileTestHelpers
  import ServiceLifecycle
  import Testing

  /// Feeds that a service mounts with one line, in a Hummingbird application of its own.
  @Suite(.timeLimit(.minutes(60))) struct FeedRequestTests {
    private struct Parcel: Entity, Encodable {
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

    private typealias ParcelFeed = Feed<SectionedResults<Parcel>, String>

    /// A service that runs, and what a test wants of it.
    private struct RunningService: Sendable {
      let port: Int
      let store: Store
      let feed: ParcelFeed
      let services: ServiceGroup

      /// Opens the stream of a connection.
      func open(
        _ connection: RawConnection, after lastID: String? = nil
      ) async throws -> (head: HTTPAnswer, client: EventClient) {
        var head = "GET /events HTTP/1.1\r\nHost: service.example\r\n"
        if let lastID { head += "Last-Event-ID: \(lastID)\r\n" }
        try await connection.write(Array((head + "\r\n").utf8))
        return (try await connection.head(), EventClient(connection, foldsStructure: false))
      }
    }

    private func withService(
      _ options: FeedResponse.Options = FeedResponse.Options(), statusBytes: Int = 1,
      isStillAuthorized: @escaping @Sendable () async throws -> Bool = { true },
      _ body: (RunningService) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("parcels.sqlite"))
      try await store.write { transaction in
        try transaction.execute(
          "CREATE TABLE parcel (id INTEGER PRIMARY KEY, status TEXT NOT NULL)")
        for id in 1...500 {
          try transaction.execute(
            "INSERT INTO parcel VALUES (?, ?)", id, String(repeating: "s", count: statusBytes))
        }
      }
      let results = try store.results(of: FetchRequest<Parcel>().sort(by: \.id))
      try await results.load()
      let shape = FeedShape<Int64, Parcel>()
      let feed = ParcelFeed(of: results) { _ in shape }
      let router = Router()
      router.get("events") { request, _ in
        try await feed.response(
          to: request, for: "ada", options: options, isStillAuthorized: isStillAuthorized)
      }
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: logger)
      let services = ServiceGroup(services: [application], logger: logger)
      let running = Task { try await services.run() }
      var iterator = ports.makeAsyncIterator()
      let port = await iterator.next() ?? 0
      let result: Result<Void, any Error>
      do {
        result = .success(
          try await body(RunningService(port: port, store: store, feed: feed, services: services)))
      } catch {
        result = .failure(error)
      }
      await services.triggerGracefulShutdown()
      try await running.value
      withExtendedLifetime(results) {}
      try await store.close()
      try result.get()
    }

    @Test func oneLineServesAStreamThatClientsComeBackTo() async throws {
      try await withService { service in
        var lastID = ""
        try await RawConnection.with(port: service.port) { connection in
          let (head, client) = try await service.open(connection)
          #expect(head.status == 200)
          #expect(head.headers["content-type"] == ["text/event-stream"])
          #expect(head.headers["cache-control"] == ["no-store"])
          #expect(head.headers["x-accel-buffering"] == ["no"])
          let first = try #require(try await client.next())
          #expect(first.name == "stream" && first.data["heartbeat"] as? Double == 15)
          #expect(try await client.next(named: "complete") != nil)
          try await service.store.write {
            try $0.execute("UPDATE parcel SET status = 'a' WHERE id = 1")
          }
          #expect(try await client.next(named: "changes") != nil)
          lastID = client.lastID
          #expect(service.feed.streamStatistics.openStreams == 1)
        }
        // Who goes away leaves nothing behind.
        #expect(try await comesTrue { service.feed.streamStatistics.openStreams == 0 })
        try await service.store.write {
          try $0.execute("UPDATE parcel SET status = 'b' WHERE id = 1")
        }
        try await RawConnection.with(port: service.port) { connection in
          let (_, client) = try await service.open(connection, after: lastID)
          #expect(try await client.next()?.name == "stream")
          #expect(try await client.next()?.name == "changes")
        }
      }
    }

    /// Nothing but the server is told to end, and the client closes nothing.
    @Test func streamsEndWithTheServer() async throws {
      try await withService { service in
        try await RawConnection.with(port: service.port) { connection in
          let (_, client) = try await service.open(connection)
          #expect(try await client.next(named: "complete") != nil)
          await service.services.triggerGracefulShutdown()
          #expect(try await client.next() == nil)
          #expect(try await connection.readToEnd() == [])
          #expect(connection.isClosed)
        }
      }
    }

    @Test func clientThatDoesNotReadIsCutOff() async throws {
      // More than the system holds for a connection.
      let options = FeedResponse.Options(writeTimeout: .milliseconds(400))
      try await withService(options, statusBytes: 40_000) { service in
        try await RawConnection.with(port: service.port, receiveBuffer: 4096) { connection in
          let (head, _) = try await service.open(connection)
          #expect(head.status == 200)
          #expect(
            try await comesTrue {
              let statistics = service.feed.streamStatistics
              return statistics.stalledStreams == 1 && statistics.openStreams == 0
            })
        }
      }
    }

    /// The server does not wait for one that reads nothing, although it may take its time.
    @Test func clientThatDoesNotReadHoldsNoServerUp() async throws {
      let options = FeedResponse.Options(writeTimeout: .seconds(86_400))
      try await withService(options, statusBytes: 40_000) { service in
        try await RawConnection.with(port: service.port, receiveBuffer: 4096) { connection in
          let (head, _) = try await service.open(connection)
          #expect(head.status == 200)
          // Its rows are on their way.
          var text = ""
          while !text.contains("event: rows"), let bytes = try await connection.read() {
            text += String(decoding: bytes, as: UTF8.self)
          }
          await service.services.triggerGracefulShutdown()
          #expect(try await comesTrue { service.feed.streamStatistics.stalledStreams == 1 })
        }
      }
    }

    @Test func whoIsNotAllowedAnyMoreIsToldThat() async throws {
      try await withService(isStillAuthorized: { false }) { service in
        try await RawConnection.with(port: service.port) { connection in
          let (_, client) = try await service.open(connection)
          #expect(try await client.next(named: "complete") != nil)
          service.feed.recheckAuthorization(of: "ada")
          #expect(try await client.next()?.name == "refused")
          #expect(try await client.next() == nil)
        }
        #expect(try await comesTrue { service.feed.streamStatistics.refusedStreams == 1 })
      }
    }
  }
#endif
