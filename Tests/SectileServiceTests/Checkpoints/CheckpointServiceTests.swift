#if Service
  import Dispatch
  import Foundation
  import InMemoryLogging
  import Logging
  import MetricsTestKit
  import SectileCore
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import ServiceLifecycle
  import Synchronization
  import Testing

  @testable import SectileService

  /// The log is copied when the store has time, and who is in the way is told.
  @Suite(.timeLimit(.minutes(60))) struct CheckpointServiceTests {
    private final class Phase: Sendable {
      private let name = Mutex("")

      var now: String { name.withLock { $0 } }
      func set(_ name: String) { self.name.withLock { $0 = name } }
    }

    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()

    init() throws { folder = try TemporaryFolder() }

    private func makeStore() async throws -> Store {
      var configuration = StoreConfiguration()
      configuration.automaticCheckpointPageCount = 0
      let store = try await Store.open(
        at: folder.file("store.sqlite"), configuration: configuration)
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      return store
    }

    private func start(_ store: Store) -> Task<Void, Never> {
      let service = CheckpointService(
        store, idle: .seconds(2), logger: Logger(label: "test") { _ in handler }, metrics: metrics,
        clock: clock)
      return Task { await service.run() }
    }

    private var isAsleep: Bool { clock.sleeperCount == 1 }

    /// Lets so much time pass that the service looks once.
    private func look() async throws {
      clock.advance(by: .seconds(2))
      #expect(try await comesTrue { isAsleep })
    }

    private func insert(_ store: Store) async throws {
      try await store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    }

    @Test func theLogIsCopiedWhenNobodyWrites() async throws {
      let store = try await makeStore()
      let running = start(store)
      #expect(try await comesTrue { isAsleep })
      #expect(store.statistics.checkpointCount == 1)
      try await insert(store)
      try await look()
      #expect(store.statistics.checkpointCount == 1)
      try await look()
      #expect(store.statistics.checkpointCount == 2)
      #expect(try metrics.expectGauge("sectile.checkpoint.remaining").lastValue == 0)
      try await look()
      #expect(store.statistics.checkpointCount == 2)
      running.cancel()
      await running.value
      try await store.close()
    }

    @Test func whoIsInTheWayIsToldOnce() async throws {
      let (store, phase, mayEnd) = (try await makeStore(), Phase(), DispatchSemaphore(value: 0))
      let other = try await Store.open(at: folder.file("store.sqlite"))
      Thread.detachNewThread {
        try? other.read { reading in
          _ = try reading.query("SELECT * FROM item")
          phase.set("reading")
          mayEnd.wait()
        }
        phase.set("done")
      }
      #expect(try await comesTrue { phase.now == "reading" })
      try await insert(store)
      let running = start(store)
      #expect(try await comesTrue { isAsleep })
      try await look()
      try await look()
      let warnings = handler.entries.filter { $0.level == .warning }
      #expect(warnings.count == 1)
      #expect(warnings.first?.metadata["by"] == "another connection or process")
      #expect(try metrics.expectGauge("sectile.checkpoint.attempts").lastValue == 2)
      mayEnd.signal()
      #expect(try await comesTrue { phase.now == "done" })
      for _ in 0..<3 { try await look() }
      #expect(try metrics.expectGauge("sectile.checkpoint.remaining").lastValue == 0)
      #expect(handler.entries.map(\.level) == [.warning, .info])
      running.cancel()
      await running.value
      try await other.close()
      try await store.close()
    }

    @Test func inMemoryNothingHappens() async throws {
      let store = try Store.inMemory()
      let running = start(store)
      #expect(try await comesTrue { isAsleep })
      try await look()
      #expect(store.statistics.checkpointCount == 0)
      running.cancel()
      await running.value
      try await store.close()
    }
  }
#endif
