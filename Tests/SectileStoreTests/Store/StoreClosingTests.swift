import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// Closing a store that is in use.
@Suite(.serialized, .timeLimit(.minutes(60))) struct StoreClosingTests {
  /// Calls a store from several threads until it refuses, and closes it meanwhile.
  ///
  /// A call that is neither finished nor refused would hold up the closing, or this.
  private func closeBeside(
    _ kind: StorageKind, rounds: Int, schema: String = "",
    _ body: @escaping @Sendable (Store) throws -> Void
  ) throws {
    let codes = try endingInTime {
      try (0..<rounds).reduce(into: Set<StoreError.Code?>()) { codes, round in
        let folder = try TemporaryFolder()
        let store = try kind.open(in: folder)
        try store.write { try $0.execute(schema) }
        codes.formUnion(try Self.close(store, inRound: round, beside: body))
      }
    }
    #expect(codes == [.storeClosed])
  }

  /// Returns the codes of the errors that ended the calls of three threads.
  private static func close(
    _ store: Store, inRound round: Int, beside body: @escaping @Sendable (Store) throws -> Void
  ) throws -> Set<StoreError.Code?> {
    let codes = CodeSet()
    let (group, begun) = (DispatchGroup(), DispatchSemaphore(value: 0))
    for _ in 0..<3 {
      group.enter()
      Thread.detachNewThread {
        begun.signal()
        do {
          while true { try body(store) }
        } catch {
          codes.insert((error as? StoreError)?.code)
        }
        group.leave()
      }
    }
    for _ in 0..<3 { begun.wait() }
    usleep(UInt32(round % 20) * 50)
    try store.close()
    group.wait()
    return codes.all
  }

  private final class CodeSet: Sendable {
    private let codes = Mutex<Set<StoreError.Code?>>([])

    var all: Set<StoreError.Code?> { codes.withLock { $0 } }
    func insert(_ code: StoreError.Code?) { codes.withLock { _ = $0.insert(code) } }
  }

  /// Waits until something is so; the suite's time limit is what fails where it never is.
  private func wait(until isSo: () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Opens a store with one reader, which is inside a closure until it is signalled that it may
  /// end.
  private func storeWhoseOnlyReaderIsBusy(
    in folder: TemporaryFolder
  ) throws -> (store: Store, mayEnd: DispatchSemaphore) {
    var configuration = StoreConfiguration()
    configuration.readerCount = 1
    let store = try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
    let (isInside, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? store.read { _ in
        isInside.signal()
        mayEnd.wait()
      }
    }
    isInside.wait()
    return (store, mayEnd)
  }

  @Test(arguments: [StorageKind.memory, .file])
  func readsBesideAreFinishedOrRefused(_ kind: StorageKind) throws {
    try closeBeside(kind, rounds: kind == .memory ? 400 : 60) { store in
      _ = try store.read { try $0.query("SELECT 1") }
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func writesBesideAreFinishedOrRefused(_ kind: StorageKind) throws {
    try closeBeside(kind, rounds: 40) { store in
      _ = try store.write { try $0.query("SELECT 1") }
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func checkpointsBesideAreFinishedOrRefused(_ kind: StorageKind) throws {
    try closeBeside(kind, rounds: kind == .memory ? 400 : 60) { store in
      _ = try store.checkpoint()
    }
  }

  /// A load reads beside the writer, and has readers take digests of what it read, while the writer
  /// is in use.
  @Test(arguments: [StorageKind.memory, .file])
  func loadsBesideAreFinishedOrRefused(_ kind: StorageKind) throws {
    let schema = LifecycleTests.schema(rows: 40)
    try closeBeside(kind, rounds: 60, schema: schema) { store in
      try store.results(of: SmallWorld.plan).load()
    }
    try closeBeside(kind, rounds: 60, schema: schema) { store in
      let results = try store.results(of: SmallWorld.plan)
      try results.load()
      _ = try results.contents()
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func interruptingBesideDoesNoHarm(_ kind: StorageKind) throws {
    try closeBeside(kind, rounds: 60) { store in
      store.interrupt()
      do {
        _ = try store.read { try $0.query("SELECT 1") }
      } catch let error as StoreError where error.code == .interrupted {
      }
    }
  }

  @Test func readsThatWaitForAConnectionAreFinished() async throws {
    let folder = try TemporaryFolder()
    let (store, mayEnd) = try storeWhoseOnlyReaderIsBusy(in: folder)
    defer { mayEnd.signal() }
    let reads = (0..<3).map { _ in
      Task { try await store.read { try $0.query("SELECT 1").count } }
    }
    // All of them were let in, and none has its connection.
    try await wait { store.accesses.pendingCount == 3 }
    let closing = Closing(of: store)
    try await wait { store.accesses.isClosed }
    #expect(storeError { try store.read { _ in } }?.code == .storeClosed)
    #expect(!closing.hasEnded && store.accesses.pendingCount == 3)
    mayEnd.signal()
    for read in reads { #expect(try await read.value == 1) }
    try await wait { closing.hasEnded }
    #expect(closing.error == nil)
  }

  @Test func aCancelledReadDoesNotHoldUp() async throws {
    let folder = try TemporaryFolder()
    let (store, mayEnd) = try storeWhoseOnlyReaderIsBusy(in: folder)
    defer { mayEnd.signal() }
    let read = Task { try await store.read { try $0.query("SELECT 1").count } }
    try await wait { store.accesses.pendingCount == 1 }
    read.cancel()
    let closing = Closing(of: store)
    try await wait { store.accesses.isClosed }
    mayEnd.signal()
    await #expect(throws: CancellationError.self) { try await read.value }
    try await wait { closing.hasEnded }
    #expect(closing.error == nil)
    #expect(store.accesses.pendingCount == 0)
    #expect(storeError { try store.read { _ in } }?.code == .storeClosed)
  }

  /// A store that is being closed by a thread of its own.
  private final class Closing: Sendable {
    private let result = Mutex<Result<Void, StoreError>?>(nil)

    var hasEnded: Bool { result.withLock { $0 != nil } }
    var error: StoreError? {
      result.withLock { result in
        if case .failure(let error) = result { error } else { nil }
      }
    }

    init(of store: Store) {
      Thread.detachNewThread { [self] in
        let outcome = Result { () throws(StoreError) in try store.close() }
        result.withLock { $0 = outcome }
      }
    }
  }

  @Test func aStoreWhoseReaderCannotBeClosedIsClosed() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(at: folder.file("store.sqlite"))
    try store.read { transaction in
      let rows = try Row.fetchCursor(transaction.database, sql: "SELECT 1 UNION SELECT 2")
      // For ever: GRDB lets nobody release it outside.
      _ = Unmanaged.passRetained(rows)
    }
    #expect(storeError { try store.close() }?.code == .busy)
    #expect(storeError { try store.read { _ in } }?.code == .storeClosed)
    #expect(storeError { try store.write { _ in } }?.code == .storeClosed)
    #expect(storeError { _ = try store.checkpoint() }?.code == .storeClosed)
  }

  @Test func anAdoptedConnectionIsNotWaitedFor() throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file("store.sqlite"))
    let store = try Store(adopting: queue)
    let codes = CodeSet()
    try endingInTime {
      let group = DispatchGroup()
      try queue.write { db in
        group.enter()
        Thread.detachNewThread {
          codes.insert(
            storeError { try store.write { try $0.execute("CREATE TABLE t (v)") } }?.code)
          group.leave()
        }
        // On its way, and behind this one.
        while store.accesses.pendingCount == 0 { usleep(1_000) }
        try store.close()
        try db.execute(sql: "CREATE TABLE u (v)")
      }
      group.wait()
    }
    #expect(codes.all == [.storeClosed])
    #expect(try queue.read { try $0.tableExists("u") })
  }

  @Test func aStoreThatCannotBeClosedStaysOpen() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(at: folder.file("store.sqlite"))
    var rows: RowCursor?
    try store.databaseWriter.unsafeReentrantWrite { db in
      rows = try Row.fetchCursor(db, sql: "SELECT 1 UNION SELECT 2")
      _ = try rows?.next()
    }
    #expect(storeError { try store.close() }?.code == .busy)
    #expect(try store.read { try $0.query("SELECT 1").count } == 1)
    store.databaseWriter.unsafeReentrantWrite { _ in rows = nil }
    try store.close()
    #expect(storeError { try store.read { _ in } }?.code == .storeClosed)
  }
}
