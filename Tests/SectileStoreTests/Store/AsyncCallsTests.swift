import Dispatch
import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// What waits has an `async` form, which blocks no thread that tasks share.
@Suite(.timeLimit(.minutes(60))) struct AsyncCallsTests {
  @TaskLocal static var name = "nobody"

  /// Keeps the writer of a store until it is told to let go.
  private final class BusyWriter: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)

    init(of store: Store) {
      let isInside = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [mayEnd] in
        try? store.write { _ in
          isInside.signal()
          mayEnd.wait()
        }
      }
      isInside.wait()
    }

    func letGo() { mayEnd.signal() }
  }

  private func withFilledStore(
    _ body: (_ store: Store, _ folder: TemporaryFolder) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(
      at: folder.file("store.sqlite"), configuration: SmallWorld.configuration,
      migrations: .inline(["V0001_create_item.sql": LifecycleTests.schema(rows: 40)]))
    try await body(store, folder)
    try await store.close()
  }

  @Test func callsThatWaitLeaveTheThreadsOfTasksAlone() async throws {
    try await withFilledStore { store, folder in
      let loaded = try store.results(of: SmallWorld.plan)
      try await loaded.load()
      let busy = BusyWriter(of: store)
      let waiting = (0..<50).map { number in
        Task {
          switch number % 5 {
          case 0: try await store.results(of: SmallWorld.plan).load()
          case 1: _ = try await loaded.contents()
          case 2: try await store.checkpoint()
          case 3: try await loaded.update(to: SmallWorld.plan)
          default: try await store.checkForExternalChanges()
          }
        }
      }
      // More of them than there are threads for tasks; and every one of those is free.
      for _ in 0..<50 { #expect(await Task.detached { 7 }.value == 7) }
      busy.letGo()
      for task in waiting { try await task.value }
    }
  }

  @Test func taskLocalValuesAndPrioritiesTravel() async throws {
    try await withFilledStore { store, folder in
      let results = try store.results(of: SmallWorld.plan)
      let seen = Mutex<[String]>([])
      let note: @Sendable () -> Void = {
        let text = "\(Self.name) \(Task.currentPriority == .high)"
        seen.withLock { $0.append(text) }
      }
      let token = results.observe(on: .immediate) { event in
        if case .didFinishLoading = event { note() }
      }
      let copy = folder.file("copy.sqlite")
      try await Task(priority: .high) {
        try await Self.$name.withValue("Emma") {
          try await results.load()
          try await store.backup(to: copy) { _ in note() }
          let migrations = Migrations.inline([
            "V0001_create_item.sql": LifecycleTests.schema(rows: 40),
            "V0002_create_t.sql": "CREATE TABLE t (v)",
          ])
          try await Migrator(migrations).apply(to: store) { _ in note() }
        }
      }.value
      token.cancel()
      #expect(Set(seen.withLock { $0 }) == ["Emma true"])
      #expect(seen.withLock { $0.count } >= 3)
    }
  }

  @Test func itemsAndContentsAreThoseOfTheBlockingForms() async throws {
    try await withFilledStore { store, _ in
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      let snapshot = results.snapshot
      let first = ItemPath(section: 0, item: 0)
      for path in [first, first, ItemPath(section: 2, item: 3)] {
        let item = try await results.item(at: path)
        #expect(try await snapshot.item(at: path) == item)
        #expect(item.id == snapshot.id(at: path))
      }
      #expect(try await snapshot.materialized() == results.contents())
      let nowhere = ItemPath(section: 9, item: 0)
      await #expect(throws: DataSourceError.self) { try await results.item(at: nowhere) }
      await #expect(throws: DataSourceError.self) { try await snapshot.item(at: nowhere) }
    }
  }

  @Test func aBackupIsCancelledInTheMiddleAndLeavesNothing() async throws {
    try await withFilledStore { store, folder in
      let copy = folder.file("copy.sqlite")
      let backup = Task {
        try await store.backup(to: copy, pagesPerStep: 1) { _ in
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await #expect(throws: CancellationError.self) { try await backup.value }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.contains("copy") }, "\(names)")
    }
  }

  @Test func cancelledTasksBeginNothingButTheyClose() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try await Store.open(at: path, configuration: SmallWorld.configuration)
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 3)) }
    let results = try store.results(of: SmallWorld.plan)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var refusedCount = 0
      let calls: [@Sendable () async throws -> Void] = [
        { try await results.load() }, { _ = try await results.contents() },
        { try await store.checkpoint() }, { _ = try await Store.open(at: path) },
        { try await store.backup(to: path + ".copy") },
      ]
      for call in calls {
        do { try await call() } catch is CancellationError { refusedCount += 1 }
      }
      try await store.close()
      return refusedCount
    }
    #expect(try await task.value == 5)
    #expect(results.version == 0)
    #expect(store.closeOutcome?.isComplete == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"])
  }

  /// Whose time is up lets go at once, whatever is written before it.
  @Test func aWriteThatWaitsIsGivenUpAtOnce() async throws {
    try await withFilledStore { store, _ in
      let busy = BusyWriter(of: store)
      let tasks = (0..<3).map { _ in
        Task { try await store.write { try $0.execute("DELETE FROM item") } }
      }
      while store.statistics.pendingCallCount < tasks.count { await Task.yield() }
      for task in tasks {
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      #expect(store.statistics.pendingCallCount == 0)
      busy.letGo()
      try await store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (100, 'A', 1)") }
      #expect(try await store.read { try $0.query("SELECT 1 FROM item").count } == 41)
    }
  }

  @Test func aWriteThatRunsIsInterrupted() async throws {
    try await withFilledStore { (store, _) async throws in
      let isInside = DispatchSemaphore(value: 0)
      let task = Task {
        try await store.write { (transaction: StoreTransaction) -> Void in
          try transaction.execute("DELETE FROM item")
          isInside.signal()
          while true { _ = try transaction.query("SELECT 1") }
        }
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          isInside.wait()
          continuation.resume()
        }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await store.read { try $0.query("SELECT 1 FROM item").count } == 40)
    }
  }

  @Test func errorsAreThoseOfTheBlockingForms() async throws {
    let folder = try TemporaryFolder()
    try await expectStoreError(.cannotOpen) {
      try await Store.open(at: folder.file("nowhere/store.sqlite"))
    }
    let store = try await Store.open(at: folder.file("store.sqlite"))
    let results = try store.results(of: SmallWorld.plan)
    try await expectStoreError(.backupRefused) {
      try await store.backup(to: folder.file("store.sqlite"))
    }
    try await store.close()
    try await store.close()
    try await expectStoreError(.storeClosed) { try await results.load() }
    try await expectStoreError(.storeClosed) { try await store.checkpoint() }
  }
}
