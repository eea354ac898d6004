import Foundation
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// The log of SQLite does not grow for ever because clients read, and it is told who keeps it.
@Suite(.timeLimit(.minutes(60))) struct LogGrowthTests {
  private static let pageCount = 20

  private func withItems(
    onEvent: (@Sendable (StoreEvent) -> Void)? = nil, looksByItself: Bool = true,
    _ body: (Store, SectionedResults<UntypedRow>) async throws -> Void
  ) async throws {
    var configuration = SmallWorld.configuration
    configuration.automaticCheckpointPageCount = Self.pageCount
    configuration.busyTimeout = .milliseconds(10)
    configuration.onEvent = onEvent
    if !looksByItself { configuration.externalChangePolling = nil }
    let folder = try TemporaryFolder()
    let store = try await Store.open(
      at: folder.file("store.sqlite"), configuration: configuration)
    try await store.write { try $0.execute(LifecycleTests.schema(rows: 40)) }
    let results = try store.results(of: SmallWorld.plan)
    try await results.load()
    try await body(store, results)
    try await store.close()
  }

  /// Writes so much that the log is long where somebody keeps it.
  private func fillLog(of store: Store) async throws {
    for number in 0..<3 * Self.pageCount {
      try await store.write { try $0.execute("UPDATE item SET v = ?", "\(number)") }
    }
  }

  private func length(of store: Store) throws -> LogLength? {
    var length: LogLength?
    try store.useWriter { length = LogLength(in: $0, store.commits.logFiles) }
    return length
  }

  @Test func theLengthOfTheLogIsRead() async throws {
    try await withItems { store, _ in
      try await store.checkpoint(.truncate)
      #expect(try length(of: store)?.isNeeded != true)
      for number in 0..<5 {
        try await store.write { try $0.execute("UPDATE item SET v = ?", "\(number)") }
      }
      let before = try #require(try length(of: store))
      #expect(before.isNeeded && before.byteCount == store.statistics.logByteCount)
      let result = try await store.checkpoint()
      #expect(result.logPageCount == before.pageCount)
      #expect(try length(of: store)?.copiedPageCount == before.pageCount)
      #expect(try length(of: store)?.isNeeded == false)
    }
  }

  @Test func aStoreWithoutALogHasNoLength() throws {
    try withStore(.adoptedQueue) { store in
      try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      #expect(try length(of: store) == nil)
      #expect(store.statistics.logByteCount == 0)
    }
  }

  @Test func noViewBeginsForClientsWhileTheLogIsLong() async throws {
    // A look ends views that were held for long, as they are on a machine that is busy.
    try await withItems(looksByItself: false) { store, results in
      let first = try await results.heldSnapshot(for: .seconds(600))
      let before = try await first.materialized()
      try await fillLog(of: store)
      #expect(store.statistics.heldViewCount == 1)
      // It goes on without, and shows what there is.
      let second = try await results.heldSnapshot(for: .seconds(600))
      // Where that took longer than a second, the first view has ended for it.
      #expect(store.statistics.heldViewCount <= 1)
      #expect(try await second.materialized() == results.contents())

      // What clients have held for long ends; the store remembers the rows it has overwritten.
      try store.useWriter { store.views?.endOld(in: $0, after: .zero) }
      while store.statistics.heldViewCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(try await first.materialized() == before)
      try await fillLog(of: store)
      #expect(try #require(try length(of: store)).pageCount <= 2 * Self.pageCount)
      let third = try await results.heldSnapshot(for: .seconds(600))
      #expect(store.statistics.heldViewCount == 1)
      withExtendedLifetime((first, second, third)) {}
    }
  }

  @Test func viewsAreKeptWhileTheLogIsShort() async throws {
    try await withItems { store, results in
      let held = try await results.heldSnapshot(for: .seconds(600))
      try store.useWriter { store.views?.endOld(in: $0, after: .zero) }
      let other = try await results.heldSnapshot(for: .seconds(600))
      #expect(store.statistics.heldViewCount == 2)
      withExtendedLifetime((held, other)) {}
    }
  }

  @Test func whoeverListensIsToldWhoKeepsTheLog() async throws {
    let blocked = Mutex<[(holder: String, bytes: Int)]>([])
    let listener: @Sendable (StoreEvent) -> Void = { event in
      if case .checkpointBlocked(let holder, let bytes) = event.content {
        blocked.withLock { $0.append((holder, bytes)) }
      }
    }
    try await withItems(onEvent: listener) { store, results in
      try await fillLog(of: store)
      #expect(blocked.withLock { $0.isEmpty })
      let held = try await results.heldSnapshot(for: .seconds(600))
      try await fillLog(of: store)
      while blocked.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
      let told = blocked.withLock { $0 }
      #expect(told.count == 1)
      #expect(told[0].holder.hasPrefix("clients that read item, for "))
      #expect(told[0].bytes > 2 * Self.pageCount * 4_096)

      let error = try await expectStoreError(.busy) { try await store.checkpoint(.truncate) }
      #expect(error.message.contains("this store holds a state of the file itself: clients that"))
      withExtendedLifetime(held) {}
    }
  }

  @Test func aReaderOfAnotherConnectionIsToldOf() async throws {
    let holders = Mutex<[String]>([])
    let listener: @Sendable (StoreEvent) -> Void = { event in
      if case .checkpointBlocked(let holder, _) = event.content {
        holders.withLock { $0.append(holder) }
      }
    }
    try await withItems(onEvent: listener) { store, _ in
      let other = try ForeignConnection(#require(store.path))
      try other.execute("BEGIN; SELECT * FROM item")
      try await fillLog(of: store)
      while holders.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
      #expect(holders.withLock { $0.count } == 1)
      #expect(holders.withLock { $0.first }?.hasPrefix("a reader of another connection") == true)
      try other.execute("COMMIT")
    }
  }
}
