#if Service
  import Foundation
  import SectileService
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  /// Many files, few stores.
  @Suite(.timeLimit(.minutes(60))) struct StorePoolTests {
    private static let migrations = Migrations.inline([
      "V0001_create_item.sql": "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    ])

    private static var configuration: StoreConfiguration {
      var configuration = StoreConfiguration()
      configuration.synchronous = .off
      configuration.readerCount = 1
      return configuration
    }

    private func limits(_ count: Int, waiting: Int = 10_000) -> StorePool.Limits {
      var limits = StorePool.Limits()
      (limits.openCount, limits.waitingCount) = (count, waiting)
      return limits
    }

    private func makePool(
      in folder: TemporaryFolder, _ count: Int, creatingFiles: Bool = true
    ) -> StorePool {
      StorePool(
        folder: folder.path, limits: limits(count), configuration: Self.configuration,
        migrations: Self.migrations, creatingFiles: creatingFiles)
    }

    private func code(of body: () async throws -> Void) async -> StoreError.Code? {
      do {
        try await body()
        return nil
      } catch {
        return (error as? StoreError)?.code
      }
    }

    private func insert(_ name: String, in store: Store) async throws {
      try await store.write { try $0.execute("INSERT INTO item (name) VALUES (?)", name) }
    }

    private func count(in store: Store) async throws -> Int {
      try await store.read { try $0.query("SELECT id FROM item").count }
    }

    /// Which files random tasks write to.
    private final class Course: Sendable {
      private struct State {
        var random: SeededRandom
        var rowCounts: [String: Int] = [:]
      }

      private let state: Mutex<State>

      init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

      var rowCounts: [String: Int] { state.withLock { $0.rowCounts } }

      func nextName() -> String {
        state.withLock { state in "tenant-\(Int.random(in: 0..<12, using: &state.random))" }
      }

      func noteRow(in name: String) {
        state.withLock { state in state.rowCounts[name, default: 0] += 1 }
      }
    }

    /// Many tasks write to random files, a few of which are open at a time: each row is there.
    @Test(arguments: [UInt64(1), 2])
    func manyTasksShareFewStores(seed: UInt64) async throws {
      let folder = try TemporaryFolder()
      let pool = makePool(in: folder, 3)
      let course = Course(seed: seed)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<40 {
          group.addTask {
            for step in 0..<5 {
              let name = course.nextName()
              try await pool.withStore(named: name) { store in
                #expect(store.closeOutcome == nil)
                try await self.insert("\(task).\(step)", in: store)
                #expect(store.closeOutcome == nil)
              }
              course.noteRow(in: name)
              #expect(pool.statistics.openCount <= 3)
            }
          }
        }
        try await group.waitForAll()
      }
      for (name, rowCount) in course.rowCounts {
        let found = try await pool.withStore(named: name) { try await self.count(in: $0) }
        #expect(found == rowCount, "seed \(seed): \(name)")
      }
      #expect(pool.statistics.inUseCount == 0)
      #expect(pool.statistics.openedCount > 12)
      #expect(await pool.close() == 0)
      #expect(pool.statistics.openCount == 0)
      // Nothing lies beside the files.
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.allSatisfy { $0.hasSuffix(".sqlite") })
    }

    @Test func aStoreIsSharedAndStaysOpenUntilItsPlaceIsNeeded() async throws {
      let folder = try TemporaryFolder()
      let pool = makePool(in: folder, 2)
      let first = try await pool.lease(named: "a")
      let second = try await pool.lease(named: "a")
      #expect(first.store === second.store)
      first.end()
      first.end()
      _ = try await pool.lease(named: "b")
      #expect(pool.statistics.inUseCount == 1)
      // The one in use stays, and the other one goes.
      _ = try await pool.lease(named: "c")
      #expect(first.store.closeOutcome == nil)
      second.end()
      let again = try await pool.lease(named: "a")
      #expect(again.store === first.store)
      again.end()
      await pool.close()
      #expect(first.store.closeOutcome?.isComplete == true)
    }

    @Test func whoWaitsIsServedWhenAUseEndsOrIsCancelled() async throws {
      let folder = try TemporaryFolder()
      let pool = makePool(in: folder, 1)
      let lease = try await pool.lease(named: "a")
      let waiting = Task { try await pool.lease(named: "b").store.path }
      let impatient = Task { try await pool.lease(named: "c").store.path }
      #expect(try await comesTrue { pool.statistics.waitingCount == 2 })
      impatient.cancel()
      await #expect(throws: CancellationError.self) { try await impatient.value }
      #expect(pool.statistics.waitingCount == 1)
      lease.end()
      #expect(try await waiting.value == folder.file("b.sqlite"))
      #expect(lease.store.closeOutcome != nil)
      await pool.close()
    }

    @Test func aTaskThatWasCancelledBeforeGetsNothing() async throws {
      let pool = StorePool { _ in try Store.inMemory() }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await pool.lease(named: "a")
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(pool.statistics.openCount == 0)
      await pool.close()
    }

    @Test func anErrorOfOpeningReachesAllAndDoesNotStay() async throws {
      let fails = Atomic(true)
      let pool = StorePool { _ in
        if fails.load(ordering: .relaxed) { throw StoreError(.diskFull, message: "full") }
        return try Store.inMemory()
      }
      for _ in 0..<2 {
        #expect(await code { _ = try await pool.lease(named: "a") } == .diskFull)
      }
      #expect(pool.statistics.openCount == 0)
      #expect(pool.statistics.failedOpeningCount == 2)
      fails.store(false, ordering: .relaxed)
      #expect(await code { _ = try await pool.lease(named: "a") } == nil)
      await pool.close()
    }

    @Test func namesLeadToNoOtherFolder() async throws {
      let folder = try TemporaryFolder()
      let pool = makePool(in: folder, 4)
      let long = String(repeating: "a", count: 101)
      for name in ["", ".", "..", "../a", "a/b", ".a", "a\0", "ä", long] {
        #expect(await code { _ = try await pool.lease(named: name) } == .invalidRequest, "\(name)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      await pool.close()
    }

    @Test func filesThatAreNotThereAreNotCreatedWhereThatIsSaid() async throws {
      let folder = try TemporaryFolder()
      let creating = makePool(in: folder, 1)
      try await creating.withStore(named: "a") { try await self.insert("x", in: $0) }
      await creating.close()
      let pool = makePool(in: folder, 1, creatingFiles: false)
      let found = try await pool.withStore(named: "a") { try await self.count(in: $0) }
      #expect(found == 1)
      #expect(await code { _ = try await pool.lease(named: "b") } == .noSuchFile)
      await pool.close()
    }

    @Test func aReplacedFileIsOpenedAnew() async throws {
      let folder = try TemporaryFolder()
      let pool = makePool(in: folder, 2)
      let held = try await pool.lease(named: "a")
      try await insert("old", in: held.store)
      #expect(rename(folder.file("a.sqlite"), folder.file("old.sqlite")) == 0)
      let failure = await code {
        try await pool.withStore(named: "a") { try await self.insert("lost", in: $0) }
      }
      #expect(failure == .fileReplaced)
      for name in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder.file("a.sqlite\(name)"))
      }
      // Who has it goes on with what it has; who comes gets what is there.
      try await pool.withStore(named: "a") { store in
        #expect(store !== held.store)
        let count = try await self.count(in: store)
        #expect(count == 0)
      }
      held.end()
      await pool.close()
    }

    @Test func aStoreThatSomebodyHasClosedIsNotHandedOut() async throws {
      let pool = StorePool { _ in try Store.inMemory() }
      try await pool.withStore(named: "a") { try await $0.close() }
      let lease = try await pool.lease(named: "a")
      #expect(lease.store.closeOutcome == nil)
      try await lease.store.close()
      lease.end()
      let count = try await pool.withStore(named: "a") { store in
        try await store.read { try $0.query("SELECT 1").count }
      }
      #expect(count == 1)
      #expect(pool.statistics.openedCount == 3)
      #expect(await pool.close() == 0)
    }

    @Test func aClosedPoolRefusesAndWaitsForUses() async throws {
      let pool = StorePool(limits: limits(1, waiting: 1)) { _ in try Store.inMemory() }
      let lease = try await pool.lease(named: "a")
      let waiting = Task { _ = try await pool.lease(named: "b") }
      #expect(try await comesTrue { pool.statistics.waitingCount == 1 })
      #expect(await code { _ = try await pool.lease(named: "c") } == .busy)
      async let closed = pool.close()
      #expect(await code { try await waiting.value } == .storeClosed)
      #expect(lease.store.closeOutcome == nil)
      lease.end()
      #expect(await closed == 0)
      #expect(lease.store.closeOutcome != nil)
      #expect(await code { _ = try await pool.lease(named: "a") } == .storeClosed)
      #expect(await pool.close() == 0)
    }

    @Test func idleStoresAreClosedOnRequest() async throws {
      let pool = StorePool { _ in try Store.inMemory() }
      for name in ["a", "b", "c"] { try await pool.lease(named: name).end() }
      pool.closeIdle(keeping: 1)
      #expect(try await comesTrue { pool.statistics.openCount == 1 })
      pool.retire("c")
      #expect(try await comesTrue { pool.statistics.openCount == 0 })
      await pool.close()
    }

    @Test func memoryAndDescriptorsAreShared() async throws {
      let folder = try TemporaryFolder()
      var limits = limits(500)
      limits.descriptorCount = 60
      limits.cacheByteCount = 10 * 1_024 * 1_024
      let pool = StorePool(
        folder: folder.path, limits: limits, configuration: Self.configuration)
      #expect(pool.openLimit == 10)
      try await pool.withStore(named: "a") { store in
        #expect(store.configuration.cacheByteCount == 512 * 1_024)
      }
      await pool.close()
    }
  }
#endif
