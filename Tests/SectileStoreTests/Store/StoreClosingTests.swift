import Foundation
import GRDB
import Synchronization
import Testing

@testable import SectileStore

/// Closing a store that is in use.
@Suite(.serialized) struct StoreClosingTests {
  /// Calls a store from several threads until it refuses, and closes it meanwhile.
  private func closeBeside(
    _ kind: StorageKind, rounds: Int, _ body: @escaping @Sendable (Store) throws -> Void
  ) throws {
    let codes = Mutex<Set<StoreError.Code?>>([])
    for round in 0..<rounds {
      let folder = try TemporaryFolder()
      let store = try kind.open(in: folder)
      let (group, begun) = (DispatchGroup(), DispatchSemaphore(value: 0))
      for _ in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          begun.signal()
          do {
            while true { try body(store) }
          } catch {
            codes.withLock { _ = $0.insert((error as? StoreError)?.code) }
          }
          group.leave()
        }
      }
      for _ in 0..<3 { begun.wait() }
      usleep(UInt32(round % 20) * 50)
      try store.close()
      group.wait()
    }
    #expect(codes.withLock { $0 } == [.storeClosed])
  }

  /// Opens a store with one reader, which is inside a closure until it is signalled that it may end.
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
    let reads = (0..<3).map { _ in
      Task { try await store.read { try $0.query("SELECT 1").count } }
    }
    // Long enough for the reads to be on their way; where it is not, they are refused.
    try await Task.sleep(for: .milliseconds(200))
    Thread.detachNewThread { try? store.close() }
    try await Task.sleep(for: .milliseconds(200))
    mayEnd.signal()
    for read in reads {
      do {
        #expect(try await read.value == 1)
      } catch let error as StoreError {
        #expect(error.code == .storeClosed)
      }
    }
  }

  @Test func aCancelledReadDoesNotHoldUp() async throws {
    let folder = try TemporaryFolder()
    let (store, mayEnd) = try storeWhoseOnlyReaderIsBusy(in: folder)
    let read = Task { try await store.read { try $0.query("SELECT 1").count } }
    try await Task.sleep(for: .milliseconds(50))
    read.cancel()
    mayEnd.signal()
    _ = await read.result
    try store.close()
    let error = storeError { try store.read { _ in } }
    #expect(error?.code == .storeClosed)
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
    let code = Mutex<StoreError.Code?>(nil)
    let group = DispatchGroup()
    try queue.write { db in
      group.enter()
      Thread.detachNewThread {
        let error = storeError { try store.write { try $0.execute("CREATE TABLE t (v)") } }
        code.withLock { $0 = error?.code }
        group.leave()
      }
      usleep(100_000)
      try store.close()
      try db.execute(sql: "CREATE TABLE u (v)")
    }
    group.wait()
    #expect(code.withLock { $0 } == .storeClosed)
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
