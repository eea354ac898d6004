import Dispatch
import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Synchronization
import Testing

@testable import SectileStore

/// What stores do with the lock of writers; nothing where the library does not have the bug.
@Suite(
  .enabled(
    if: ThisMachine.runs(
      "StoreWriterLockTests", if: SQLiteRelease.linked.hasWALResetBug,
      otherwise: "SQLite \(SQLiteRelease.linked) does not have the WAL-reset bug")),
  .timeLimit(.minutes(60)))
struct StoreWriterLockTests {
  /// A file with a log, as far as opening can tell.
  private static let logged = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE sectile_log_state (one INTEGER PRIMARY KEY)
    """

  private struct Place {
    let folder: TemporaryFolder
    var path: String { folder.file("store.sqlite") }
    var lockPath: String { path + "-lock" }

    init(_ schema: String = StoreWriterLockTests.logged) throws {
      folder = try TemporaryFolder()
      let store = try Store.open(at: path)
      try store.write { transaction in
        for statement in schema.split(separator: ";") { try transaction.execute("\(statement)") }
      }
      try store.close()
    }

    func open(_ change: (inout StoreConfiguration) -> Void = { _ in }) throws -> Store {
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      configuration.busyTimeout = .milliseconds(5)
      change(&configuration)
      return try Store.open(at: path, configuration: configuration)
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
  }

  private static func insert(_ transaction: StoreTransaction) throws {
    try transaction.execute("INSERT INTO item (name) VALUES ('sed')")
  }

  private static func count(_ store: Store) throws -> StoredValue? {
    try store.read { try $0.query("SELECT count(*) FROM item") }.first?.values[0]
  }

  /// Opens a store that waits for ever for a lock that another process has.
  private func withWaitingStore(
    _ body: (_ store: Store, _ holder: LockHolder) async throws -> Void
  ) async throws {
    let place = try Place()
    let store = try place.open { $0.busyTimeout = .seconds(600) }
    let holder = try LockHolder(of: place.lockPath)
    try await body(store, holder)
    holder.end()
    try await store.write { try Self.insert($0) }
    try await store.close()
  }

  /// Waits until a call of the store waits; the suite's time limit is what fails where none does.
  private static func waitForWaiting(_ store: Store) async throws {
    while !store.writerLock.isAwaited { try await Task.sleep(for: .milliseconds(1)) }
  }

  // MARK: - Whether it is taken

  @Test func aFileWithoutALogHasNoLockFile() throws {
    let place = try Place("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
    let store = try place.open()
    #expect(store.writerLock.state == .off)
    try store.write(Self.insert)
    try store.checkpoint(.truncate)
    try store.close()
    #expect(try place.names == ["store.sqlite"])
  }

  @Test func aFileWithALogHasALockFileThatStays() throws {
    let place = try Place()
    let store = try place.open()
    #expect(store.writerLock.state == .engaged(path: place.lockPath))
    try store.write(Self.insert)
    try store.close()
    #expect(store.writerLock.state == .off)
    #expect(try place.names == ["store.sqlite", "store.sqlite-lock"])
    #expect(FileIdentity(place.lockPath)?.isEmpty == true)
  }

  @Test func aReaderTakesNoLock() throws {
    let place = try Place()
    let store = try place.open { $0.isReadOnly = true }
    #expect(store.writerLock.state == .off)
    _ = try Self.count(store)
    try store.close()
    #expect(try !place.names.contains("store.sqlite-lock"))
  }

  @Test func aStoreInMemoryTakesNoLock() throws {
    let store = try Store.inMemory()
    store.writerLock.engage()
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)") }
    #expect(store.writerLock.state == .off)
  }

  @Test func engagingAndDisengagingTakeEffectWithTheNextWrite() throws {
    let place = try Place("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
    let store = try place.open()
    store.writerLock.engage()
    let holder = try LockHolder(of: place.lockPath)
    try expectStoreError(.busy) { try store.write(Self.insert) }
    store.writerLock.disengage()
    try store.write(Self.insert)
    holder.end()
    #expect(try Self.count(store) == 1)
    try store.close()
  }

  @Test func aWriteThatFindsALogOfAnotherStoreHasTheNextOnesTakeTheLock() throws {
    let place = try Place("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
    let (store, other) = (try place.open(), try place.open())
    try store.write(Self.insert)
    try other.changeLog.enable()
    #expect(store.writerLock.state == .off)
    try store.write(Self.insert)
    #expect(store.writerLock.state == .engaged(path: place.lockPath))
    let holder = try LockHolder(of: place.lockPath)
    try expectStoreError(.busy) { try store.write(Self.insert) }
    holder.end()
    try other.close()
    try store.close()
  }

  // MARK: - What takes it

  @Test func everythingThatWritesIsBusyWhileAnotherProcessHasTheLock() throws {
    let place = try Place()
    let store = try place.open()
    let holder = try LockHolder(of: place.lockPath)
    let error = try expectStoreError(.busy) { try store.write(Self.insert) }
    #expect(error.message.contains("store.sqlite-lock"))
    try expectStoreError(.busy) { try store.checkpoint() }
    try expectStoreError(.busy) {
      try Migrator(.inline(["V0001_create_other.sql": "CREATE TABLE other (id)"])).apply(to: store)
    }
    // Reading takes none.
    #expect(try Self.count(store) == 0)
    // Opening another store would write where there is no log.
    try expectStoreError(.busy) { try place.open() }
    holder.end()
    try store.write(Self.insert)
    #expect(try store.checkpoint().isComplete)
    #expect(
      try Migrator(.inline(["V0001_create_other.sql": "CREATE TABLE other (id)"]))
        .apply(to: store).count == 1)
    try store.close()
  }

  @Test func asynchronousCallsAreBusyAsWell() async throws {
    let place = try Place()
    let store = try place.open()
    let holder = try LockHolder(of: place.lockPath)
    try await expectStoreError(.busy) { try await store.write { try Self.insert($0) } }
    try await expectStoreError(.busy) { try await store.checkpoint(.full) }
    holder.end()
    try await store.write { try Self.insert($0) }
    try await store.close()
  }

  @Test func twoStoresOfOneProcessExcludeEachOther() throws {
    let place = try Place()
    let (one, other) = (try place.open(), try place.open())
    try one.write { transaction in
      try Self.insert(transaction)
      let error = try expectStoreError(.busy) { try other.write(Self.insert) }
      #expect(error.message.contains("store.sqlite-lock"))
      try expectStoreError(.busy) { try other.checkpoint() }
    }
    try other.write(Self.insert)
    #expect(try Self.count(one) == 2)
    try one.close()
    try other.close()
  }

  @Test func theLockIsFreeAfterEveryEndOfAWrite() throws {
    struct Refusal: Error {}
    let place = try Place()
    let (one, other) = (try place.open(), try place.open())
    try one.write {
      try $0.execute(
        "CREATE TABLE child (parent REFERENCES item DEFERRABLE INITIALLY DEFERRED)")
    }
    #expect(throws: Refusal.self) { try one.write { _ in throw Refusal() } }
    try other.write(Self.insert)
    try expectStoreError(.foreignKeyConstraint) {
      try one.write { try $0.execute("INSERT INTO child VALUES (99)") }
    }
    try other.write(Self.insert)
    #expect(throws: StoreError.self) {
      try Migrator(.inline(["V0001_create_broken.sql": "CREATE TABLE"])).apply(to: one)
    }
    try other.write(Self.insert)
    try one.close()
    try other.close()
  }

  @Test func anAdoptedPoolTakesItForWritesOfTheStore() throws {
    let place = try Place()
    let pool = try DatabasePool(path: place.path)
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(5)
    let store = try Store(adopting: pool, configuration: configuration)
    #expect(store.writerLock.state == .engaged(path: place.lockPath))
    let holder = try LockHolder(of: place.lockPath)
    try expectStoreError(.busy) { try store.write(Self.insert) }
    holder.end()
    try store.write(Self.insert)
    try store.close()
    try pool.close()
  }

  // MARK: - Waiting

  @Test func aWriteWaitsForTheLockAndTellsHowLong() async throws {
    let waits = Mutex<[Duration]>([])
    let place = try Place()
    let store = try place.open { configuration in
      configuration.busyTimeout = .seconds(600)
      configuration.onEvent = { event in
        if case .waited(let duration) = event.content { waits.withLock { $0.append(duration) } }
      }
    }
    let holder = try LockHolder(of: place.lockPath)
    async let written: Void = store.write { try Self.insert($0) }
    try await Self.waitForWaiting(store)
    holder.end()
    try await written
    #expect(store.statistics.waitCount == 1)
    while waits.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(waits.withLock { $0.allSatisfy { $0 > .zero } })
    try await store.close()
  }

  @Test func cancellingATaskEndsItsWait() async throws {
    try await withWaitingStore { store, _ in
      for isCheckpoint in [false, true] {
        let task = Task {
          if isCheckpoint {
            try await store.checkpoint()
          } else {
            try await store.write { try Self.insert($0) }
          }
        }
        try await Self.waitForWaiting(store)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!store.writerLock.isAwaited)
      }
      #expect(try Self.count(store) == 0)
    }
  }

  @Test func interruptingTheStoreEndsAWait() async throws {
    try await withWaitingStore { store, _ in
      let task = Task.detached { try await store.write { try Self.insert($0) } }
      try await Self.waitForWaiting(store)
      store.interrupt()
      try await expectStoreError(.interrupted) { try await task.value }
      #expect(try Self.count(store) == 0)
    }
  }

  @Test func closingWaitsForAWriteThatWaits() async throws {
    let place = try Place()
    let store = try place.open { $0.busyTimeout = .seconds(600) }
    let holder = try LockHolder(of: place.lockPath)
    let task = Task.detached { try await store.write { try Self.insert($0) } }
    try await Self.waitForWaiting(store)
    async let closed: Void = store.close()
    // From here on nobody else gets in.
    while !store.accesses.isClosed { try await Task.sleep(for: .milliseconds(1)) }
    try await expectStoreError(.storeClosed) { try await store.write { try Self.insert($0) } }
    holder.end()
    try await task.value
    try await closed
    let again = try place.open()
    #expect(try Self.count(again) == 1)
    try await again.close()
  }

  // MARK: - Closing

  @Test func closingWaitsForNobodyWhoHasTheLock() throws {
    let place = try Place()
    let (store, other) = (try place.open { $0.busyTimeout = .seconds(600) }, try place.open())
    try store.write(Self.insert)
    let holder = try LockHolder(of: place.lockPath)
    try store.close()
    let outcome = try #require(store.closeOutcome)
    #expect(outcome.remainingLog == .inUse && !outcome.isComplete && outcome.error == nil)
    holder.end()
    #expect(try Self.count(other) == 1)
    try other.close()
    #expect(other.closeOutcome?.isComplete == true)
  }

  @Test func theLastToCloseCopiesTheLogWhoeverHasTheLock() throws {
    let place = try Place()
    let store = try place.open()
    try store.write(Self.insert)
    let holder = try LockHolder(of: place.lockPath)
    try store.close()
    let outcome = try #require(store.closeOutcome)
    #expect(outcome.isComplete && outcome.remainingLog == nil)
    #expect(try place.names == ["store.sqlite", "store.sqlite-lock"])
    holder.end()
  }

  // MARK: - Files

  @Test func aFileThatWasRenamedIsRefusedAsWithoutALock() throws {
    let place = try Place()
    let store = try place.open()
    #expect(rename(place.path, place.path + ".old") == 0)
    try expectStoreError(.fileReplaced) { try store.write(Self.insert) }
    #expect(rename(place.path + ".old", place.path) == 0)
    try store.write(Self.insert)
    #expect(try Self.count(store) == 1)
    try store.close()
  }

  @Test func aFolderThatWasMovedTakesItsLockAlong() throws {
    let place = try Place()
    let store = try place.open()
    let moved = place.folder.path + "-moved"
    #expect(rename(place.folder.path, moved) == 0)
    defer { rename(moved, place.folder.path) }
    try store.write(Self.insert)
    let holder = try LockHolder(of: moved + "/store.sqlite-lock")
    try expectStoreError(.busy) { try store.write(Self.insert) }
    holder.end()
    try store.close()
  }

  @Test func aLinkToTheDatabaseLeadsToOneLock() throws {
    let (place, folder) = (try Place(), try TemporaryFolder())
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
    let store = try Store.open(at: link)
    #expect(
      store.writerLock.state
        == .engaged(path: URL(fileURLWithPath: place.lockPath).resolvingSymlinksInPath().path))
    try store.close()
    #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
  }

  @Test func whereThereCanBeNoLockWritesGoOn() throws {
    let place = try Place()
    try place.folder.makeFolder("store.sqlite-lock")
    let store = try place.open()
    guard case .unavailable = store.writerLock.state else {
      Issue.record("\(store.writerLock.state)")
      return
    }
    try store.write(Self.insert)
    #expect(try Self.count(store) == 1)
    try store.close()
  }
}
