#if Service
  import Foundation
  import InMemoryLogging
  import Logging
  import SectileCore
  import SectileService
  import SectileStore
  import SectileTestHelpers
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Synchronization
  import Testing

  /// Who is ended when, in a service that is asked to end.
  @Suite(.timeLimit(.minutes(60))) struct StoreServiceTests {
    /// A server that waits for its open streams before it ends.
    private struct Server: Service {
      let streams: AsyncStream<Void>
      let order: Order

      func run() async throws {
        try? await gracefulShutdown()
        order.append("server asked")
        for await _ in streams {}
        order.append("server ended")
      }
    }

    private final class Order: Sendable {
      private let names = Mutex<[String]>([])

      var all: [String] { names.withLock { $0 } }
      func append(_ name: String) { names.withLock { $0.append(name) } }
    }

    private func logger(_ handler: InMemoryLogHandler) -> Logger {
      Logger(label: "test") { _ in handler }
    }

    @Test func streamsEndBeforeTheServerAndTheStoreIsClosedLast() async throws {
      let (folder, order) = (try TemporaryFolder(), Order())
      let store = try await Store.open(at: folder.file("store.sqlite"))
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      let results = try store.results(
        of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
      try await results.load()
      let handler = InMemoryLogHandler()
      let (streams, continuation) = AsyncStream<Void>.makeStream()
      // A client that follows the list for as long as it lives.
      let changesets = results.changesets
      let client = Task {
        for await _ in changesets {}
        continuation.finish()
      }
      let group = ServiceGroup(
        services: [
          StoreService(store, logger: logger(handler)), Server(streams: streams, order: order),
          StreamService {
            order.append(store.closeOutcome == nil ? "streams" : "streams after the store")
            results.cancel()
          },
        ], logger: logger(InMemoryLogHandler()))
      let running = Task { try await group.run() }
      await group.triggerGracefulShutdown()
      try await running.value
      await client.value
      #expect(order.all == ["streams", "server asked", "server ended"])
      #expect(store.closeOutcome?.isComplete == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"])
      #expect(handler.entries.map(\.level) == [.info])
    }

    @Test func aCancelledServiceClosesItsStore() async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("store.sqlite"))
      let handler = InMemoryLogHandler()
      let service = StoreService(store, logger: logger(handler))
      let running = Task { try await service.run() }
      running.cancel()
      try await running.value
      #expect(store.closeOutcome?.isComplete == true)
      #expect(service.description.hasSuffix("store.sqlite)"))
    }

    @Test func aLogThatStaysIsLoggedAsAWarning() async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("store.sqlite"))
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      let other = try await Store.open(at: folder.file("store.sqlite"))
      _ = try await other.read { try $0.query("SELECT * FROM item") }
      let handler = InMemoryLogHandler()
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await StoreService(store, logger: logger(handler)).run()
      }
      #expect(handler.entries.map(\.level) == [.warning])
      try await other.close()
    }

    @Test func aLogThatIsLostIsLoggedAsAnError() async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("store.sqlite"))
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      try FileManager.default.removeItem(atPath: folder.file("store.sqlite-wal"))
      let handler = InMemoryLogHandler()
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await StoreService(store, logger: logger(handler)).run()
      }
      #expect(handler.entries.map(\.level) == [.error])
      let message = handler.entries.first?.message.description
      #expect(message?.contains("was removed or replaced") == true)
    }
  }
#endif
