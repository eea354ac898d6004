import Dispatch
import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// What a store tells of while it works, and what it counts.
@Suite(.timeLimit(.minutes(60))) struct StoreEventTests {
  /// Everything that was heard.
  private final class Listener: Sendable {
    private let heard = Mutex<[StoreEvent]>([])

    var events: [StoreEvent] { heard.withLock { $0 } }
    func hear(_ event: StoreEvent) { heard.withLock { $0.append(event) } }

    /// How long calls have waited for locks.
    var waits: [Duration] {
      events.compactMap { $0.kind == .waited ? $0.duration : nil }
    }

    /// Waits until something was heard; the suite's time limit is what fails where it never is.
    func wait(for isMeant: @Sendable (StoreEvent) -> Bool) async throws {
      while !events.contains(where: isMeant) { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private static func configuration(_ listener: Listener) -> StoreConfiguration {
    var configuration = SmallWorld.configuration
    configuration.onEvent = { listener.hear($0) }
    return configuration
  }

  /// Opens a store on a file, with twelve rows, and closes it at the end.
  private func withStore(
    _ configuration: StoreConfiguration,
    _ body: (_ store: Store, _ other: DatabaseQueue) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try await Store.open(at: path, configuration: configuration)
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 12)) }
    let other = try DatabaseQueue(path: path)
    try await body(store, other)
    try other.close()
    try await store.close()
  }

  @Test func commitsAndRollbacksAreToldAndCounted() async throws {
    let listener = Listener()
    try await withStore(Self.configuration(listener)) { store, _ in
      let before = store.statistics
      try await store.write { try $0.execute("UPDATE item SET v = 'y' WHERE id <= 5") }
      try await listener.wait { event in
        event.kind == .committed && event.count == 5 && event.duration.map { $0 > .zero } == true
      }
      try? await store.write { transaction in
        try transaction.execute("UPDATE item SET v = 'z'")
        throw CocoaError(.featureUnsupported)
      }
      try await listener.wait { $0.kind == .rolledBack }
      _ = try await store.read { try $0.query("SELECT 1") }
      #expect(store.statistics.commitCount == before.commitCount + 1)
      #expect(store.statistics.rollbackCount == before.rollbackCount + 1)
      #expect(store.statistics.readCount == before.readCount + 1)
    }
  }

  @Test func resyncsAreToldWithTheirReason() async throws {
    let listener = Listener()
    try await withStore(Self.configuration(listener)) { store, other in
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      let before = store.statistics.resyncCount
      try await other.write { try $0.execute(sql: "UPDATE item SET v = 'other' WHERE id = 1") }
      try await store.checkForExternalChanges()
      try await listener.wait { $0.reason == .foreignCommit }
      try await store.write { try $0.execute("ALTER TABLE item ADD COLUMN w") }
      try await listener.wait { $0.reason == .newSchema }
      #expect(store.statistics.resyncCount == before + 2)
      #expect(results.statistics.resyncCount == 2)
    }
  }

  @Test func waitingForALockIsToldWithItsTime() async throws {
    let listener = Listener()
    var configuration = Self.configuration(listener)
    configuration.busyTimeout = .seconds(240)
    try await withStore(configuration) { store, other in
      let asked = Duration.milliseconds(30)
      var milliseconds = 60
      repeat {
        let (isLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
          try? other.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            isLocked.signal()
            mayEnd.wait()
            try db.execute(sql: "COMMIT")
          }
        }
        try endingInTime { isLocked.wait() }
        let end = DispatchTime.now() + .milliseconds(milliseconds)
        DispatchQueue.global().asyncAfter(deadline: end) { mayEnd.signal() }
        try await store.write { try $0.execute("UPDATE item SET v = 'y' WHERE id = 1") }
        let isTold = try await comesTrue { listener.waits.count == store.statistics.waitCount }
        #expect(isTold)
        // On a busy machine the lock may be free before it is asked for: it is held for longer.
        milliseconds *= 2
      } while !listener.waits.contains(where: { $0 >= asked }) && milliseconds < 60_000
      #expect(listener.waits.contains { $0 >= asked })
    }
  }

  @Test func waitingEndsWithTheTimeout() async throws {
    let listener = Listener()
    var configuration = Self.configuration(listener)
    configuration.busyTimeout = .milliseconds(40)
    try await withStore(configuration) { store, other in
      let other = try LockingConnection(to: other.path)
      try other.execute("BEGIN IMMEDIATE")
      try await expectStoreError(.busy) {
        try await store.write { try $0.execute("DELETE FROM item") }
      }
      try other.execute("ROLLBACK")
      try await listener.wait { event in
        event.kind == .waited && event.duration.map { $0 >= .milliseconds(40) } == true
      }
    }
  }

  @Test func slowStatementsAreToldWithoutTheirValues() async throws {
    let listener = Listener()
    var configuration = Self.configuration(listener)
    configuration.slowStatementThreshold = .milliseconds(2)
    let sql = """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 400000)
      SELECT count(*), ?1 FROM number
      """
    try await withStore(configuration) { store, _ in
      _ = try await store.read { try $0.query(sql, "s3cr3t") }
      // On a busy machine others are slow, too.
      try await listener.wait { event in
        Self.slowStatement(event).map { $0.sql == sql && $0.duration >= .milliseconds(2) } ?? false
      }
      let told = listener.events.compactMap { Self.slowStatement($0)?.sql }
      #expect(told.contains(sql))
      #expect(!told.contains { $0.contains("s3cr3t") })
    }
  }

  private static func slowStatement(_ event: StoreEvent) -> (sql: String, duration: Duration)? {
    if case .slowStatement(let sql, let duration) = event.content { (sql, duration) } else { nil }
  }

  @Test func itemsThatNobodyRememberedAndCheckpointsAreTold() async throws {
    let listener = Listener()
    try await withStore(Self.configuration(listener)) { store, _ in
      var plan = SmallWorld.plan
      plan.batchSize = 5
      let results = try store.results(of: plan)
      try await results.load()
      let snapshot = results.snapshot
      for _ in 0..<2 { _ = try await snapshot.item(at: ItemPath(section: 0, item: 1)) }
      let result = try await store.checkpoint(.truncate)
      try await listener.wait { event in
        event.logPageCount == result.logPageCount
          && event.copiedPageCount == result.copiedPageCount
      }
      let batches = listener.events.filter { event in
        event.kind == .readItems && event.table == "item" && event.count.map { $0 > 0 } == true
      }
      #expect(batches.count == 1)
      #expect(store.statistics.checkpointCount == 1)
    }
  }

  @Test func looksThatFailAreTold() async throws {
    let (listener, folder) = (Listener(), try TemporaryFolder())
    let path = folder.file("store.sqlite")
    var connection = Configuration()
    connection.busyMode = .immediateError
    let queue = try DatabaseQueue(path: path, configuration: connection)
    var configuration = Self.configuration(listener)
    configuration.externalChangePolling = .milliseconds(1)
    let store = try Store(adopting: queue, configuration: configuration)
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 3)) }
    let results = try store.results(of: SmallWorld.plan)
    try await results.load()
    // With a rollback journal, whoever writes to the file keeps readers out.
    let other = try LockingConnection(to: path)
    while (try? other.execute("BEGIN EXCLUSIVE")) == nil {
      try await Task.sleep(for: .milliseconds(1))
    }
    try await listener.wait { $0.error?.code == .busy }
    #expect(store.statistics.failedPollCount > 0)
    #expect(await store.health().reasons.contains { $0.code == .behind })
    try other.execute("ROLLBACK")
    #expect(try await comesTrue { await !store.health().reasons.contains { $0.code == .behind } })
    try await store.close()
  }

  @Test func aSlowListenerLosesEventsAndIsToldHowMany() async throws {
    let (listener, mayEnd) = (Listener(), DispatchSemaphore(value: 0))
    var configuration = SmallWorld.configuration
    configuration.onEvent = { event in
      if listener.events.isEmpty { mayEnd.wait() }
      listener.hear(event)
    }
    let count = EventQueue.limit + 300
    let store = try Store.inMemory(configuration: configuration)
    for _ in 0..<count { try await store.write { _ in } }
    mayEnd.signal()
    try await listener.wait { $0.kind == .dropped }
    var (heard, dropped) = (0, 0)
    for event in listener.events {
      switch event.content {
      case .committed: heard += 1
      case .dropped(let count): dropped += count
      default: Issue.record("\(event)")
      }
    }
    #expect(heard + dropped == count)
    #expect(heard >= EventQueue.limit)
    try await store.close()
  }

  @Test func aListenerMayUseTheStore() async throws {
    let (listener, folder) = (Listener(), try TemporaryFolder())
    let known = Mutex<Store?>(nil)
    var configuration = SmallWorld.configuration
    configuration.onEvent = { event in
      guard event.kind == .committed, event.count == 1, let store = known.withLock({ $0 }) else {
        return
      }
      try? store.write {
        try $0.execute("INSERT INTO item (id, s, k) VALUES (20, 'A', 1), (21, 'A', 2)")
      }
      listener.hear(event)
    }
    let store = try StorageKind.file.open(in: folder, configuration: configuration)
    known.withLock { $0 = store }
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 3)) }
    try await store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
    try await listener.wait { _ in true }
    #expect(try await store.read { try $0.query("SELECT 1 FROM item").count } == 4)
    known.withLock { $0 = nil }
    try await store.close()
  }

  @Test func eventsAreSentences() {
    let second = Duration.seconds(1)
    let error = StoreError(.busy, message: "packages.sqlite is locked", hint: nil)
    let sentences: [(StoreEvent, String)] = [
      (.committed(rows: 1, duration: second), "committed 1 row in 1.0 seconds"),
      (.rolledBack(duration: second), "rolled back after 1.0 seconds"),
      (.resynced(reason: .newSchema), "resynced: the schema has changed"),
      (.waited(duration: second), "waited 1.0 seconds for a lock of another connection"),
      (.slowStatement(sql: "SELECT 1", duration: second), "took 1.0 seconds: SELECT 1"),
      (
        .readItems(table: "item", count: 5, duration: second), "read 5 items of item in 1.0 seconds"
      ),
      (
        .checkpointed(logPageCount: 7, copiedPageCount: 6, duration: second),
        "checkpoint: 6 of 7 pages are in the file, in 1.0 seconds"
      ),
      (.pollFailed(error), "looking for changes of others failed: packages.sqlite is locked"),
      (.dropped(count: 2), "2 events were dropped"),
    ]
    for (event, sentence) in sentences { #expect("\(event)" == sentence) }
  }

  /// What an event has of a kind is there, and nothing else.
  @Test func eventsHaveWhatTheirKindSays() {
    let second = Duration.seconds(1)
    let error = StoreError(.busy, message: "packages.sqlite is locked", hint: nil)
    let events: [(StoreEvent, String, [String])] = [
      (.committed(rows: 3, duration: second), "committed", ["duration 1.0 seconds", "count 3"]),
      (.rolledBack(duration: second), "rolledBack", ["duration 1.0 seconds"]),
      (.resynced(reason: .audit), "resynced", ["reason an audit was due"]),
      (.waited(duration: second), "waited", ["duration 1.0 seconds"]),
      (
        .slowStatement(sql: "SELECT 1", duration: second), "slowStatement",
        ["duration 1.0 seconds", "sql SELECT 1"]
      ),
      (
        .readItems(table: "item", count: 5, duration: second), "readItems",
        ["duration 1.0 seconds", "count 5", "table item"]
      ),
      (
        .checkpointed(logPageCount: 7, copiedPageCount: 6, duration: second), "checkpointed",
        ["duration 1.0 seconds", "logPageCount 7", "copiedPageCount 6"]
      ),
      (
        .checkpointBlocked(by: "a load", logByteCount: 9), "checkpointBlocked",
        ["holder a load", "logByteCount 9"]
      ),
      (.pollFailed(error), "pollFailed", ["error busy"]),
      (.logNotWatched, "logNotWatched", []),
      (.dropped(count: 2), "dropped", ["count 2"]),
    ]
    for (event, kind, contents) in events {
      let found: [(name: String, value: String?)] = [
        ("duration", event.duration.map { "\($0)" }), ("count", event.count.map { "\($0)" }),
        ("reason", event.reason.map { "\($0)" }), ("sql", event.sql), ("table", event.table),
        ("logPageCount", event.logPageCount.map { "\($0)" }),
        ("copiedPageCount", event.copiedPageCount.map { "\($0)" }), ("holder", event.holder),
        ("logByteCount", event.logByteCount.map { "\($0)" }),
        ("error", event.error.map { "\($0.code)" }),
      ]
      #expect("\(event.kind)" == kind)
      #expect(found.compactMap { one in one.value.map { "\(one.name) \($0)" } } == contents)
    }
  }

  @Test func statisticsAreEncoded() async throws {
    let store = try Store.inMemory()
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 3)) }
    let results = try store.results(of: SmallWorld.plan)
    try await results.load()
    try await store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 1") }
    let statistics = store.statistics
    let data = try JSONEncoder().encode(statistics)
    #expect(try JSONDecoder().decode(Store.Statistics.self, from: data) == statistics)
    #expect(String(decoding: data, as: UTF8.self).contains(#""auditFindCount":0"#))
    let ofResults = try JSONEncoder().encode(results.statistics)
    #expect(
      try JSONDecoder().decode(ResultsStatistics.self, from: ofResults) == results.statistics)
    #expect(results.statistics.commitCount == 1 && statistics.commitCount == 2)
    try await store.close()
  }
}

/// A connection that keeps a transaction open from one call to the next.
private final class LockingConnection: Sendable {
  private let queue: DatabaseQueue

  init(to path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func execute(_ sql: String) throws {
    try queue.unsafeReentrantWrite { try $0.execute(sql: sql) }
  }
}
