import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Nothing is acknowledged that goes into a log which nobody else finds any more.
@Suite(.timeLimit(.minutes(60))) struct LogRemovedTests {
  /// What may become of the log of an open file.
  enum Fate: CaseIterable {
    /// Somebody clears up.
    case removed
    /// Somebody clears up, and another program writes.
    case replaced
    /// The process has closed a descriptor of the file, and with it all its locks: the next program
    /// that closes the file takes itself for the last one.
    case removedByAnotherProgram
    /// A second copy of SQLite in the process has opened and closed the file.
    case removedByAnotherLibrary
    /// The index of the log is gone: others make a new one, whose locks are not those of this
    /// process.
    case withoutIndex
  }

  private static func insert(_ store: Store) throws {
    try store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
  }

  private static func count(_ store: Store) throws -> StoredValue? {
    try store.read { try $0.query("SELECT count(*) AS n FROM item") }.first?["n"]
  }

  private static func count(_ path: String) throws -> StoredValue? {
    let store = try Store.open(at: path)
    defer { try? store.close() }
    return try count(store)
  }

  private func makeStore(_ kind: StorageKind, in folder: TemporaryFolder) throws -> Store {
    let store = try kind.open(in: folder)
    try store.write { tx in
      try tx.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
      for _ in 0..<3 { try tx.execute("INSERT INTO item DEFAULT VALUES") }
    }
    try store.checkpoint(.truncate)
    // What only the log has.
    try Self.insert(store)
    return store
  }

  private func suffer(_ fate: Fate, _ path: String, in folder: TemporaryFolder) throws {
    switch fate {
    case .removed: #expect(unlink(path + "-wal") == 0)
    case .replaced:
      #expect(unlink(path + "-wal") == 0 && unlink(path + "-shm") == 0)
      try ForeignProgram.shell(path, "INSERT INTO item VALUES (100), (101);")
    case .removedByAnotherProgram:
      let file = try #require(FileHandle(forReadingAtPath: path))
      _ = try file.read(upToCount: 100)
      try file.close()
      try ForeignProgram.shell(path, "SELECT count(*) FROM item")
      #expect(FileIdentity(path + "-wal") == nil)
    case .removedByAnotherLibrary:
      try SecondLibrary(in: folder).run("SELECT count(*) FROM item", in: path)
      #expect(FileIdentity(path + "-wal") == nil)
    case .withoutIndex: #expect(unlink(path + "-shm") == 0)
    }
  }

  private static let fates = Fate.allCases.filter {
    $0 != .removedByAnotherLibrary || SecondLibrary.isPossible
  }

  @Test(arguments: fates, [StorageKind.file, .adoptedPool])
  func writingIsRefusedWhereTheLogIsNotFoundAnyMore(_ fate: Fate, _ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(kind, in: folder)
    try suffer(fate, path, in: folder)
    for _ in 0..<2 { try expectStoreError(.fileReplaced) { try Self.insert(store) } }
    try expectStoreError(.fileReplaced) { try store.checkpoint(.truncate) }
    try expectStoreError(.fileReplaced) { try store.checkForExternalChanges() }
    try store.close()
  }

  @Test(arguments: fates.filter { $0 != .withoutIndex })
  func transactionIsUndoneWhereTheLogGoesBeforeItsCommit(_ fate: Fate) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(.file, in: folder)
    try expectStoreError(.fileReplaced) {
      try store.write { tx in
        // Before anything is written: another program waits for who writes.
        try suffer(fate, path, in: folder)
        try tx.execute("INSERT INTO item DEFAULT VALUES")
      }
    }
    try store.close()
  }

  /// What the store had in its old log goes over nothing that others have committed since.
  ///
  /// Where the index is still there, others look in their new log for what only the old one has,
  /// and fail.
  @Test(arguments: fates.filter { $0 != .removed })
  func closingLeavesAloneWhatOthersHaveCommittedSince(_ fate: Fate) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(.file, in: folder)
    try suffer(fate, path, in: folder)
    try ForeignProgram.shell(
      path, "CREATE TABLE other (id INTEGER PRIMARY KEY, v);",
      "INSERT INTO other SELECT value, hex(zeroblob(500)) FROM json_each('[1,2,3,4,5,6,7,8,9]');")
    try store.close()
    let outcome = try #require(store.closeOutcome)
    #expect(outcome.error?.code == .fileReplaced && !outcome.isComplete)
    #expect(outcome.remainingLog == .failed)
    #expect(
      try ForeignProgram.shell(path, "PRAGMA integrity_check;", "SELECT count(*) FROM other;")
        == "ok\n9\n")
  }

  @Test func aBackupSavesWhatTheRemovedLogHad() throws {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.file("store.sqlite"), folder.file("copy.sqlite"))
    let store = try makeStore(.file, in: folder)
    try suffer(.removed, path, in: folder)
    let error = try expectStoreError(.fileReplaced) { try Self.insert(store) }
    #expect(error.message.contains("store.sqlite-wal was removed or replaced"))
    try store.backup(to: copy)
    try store.close()
    #expect(try Self.count(copy) == 4)
    #expect(try Self.count(path) == 3)
  }

  // A second library cuts the index off and makes it anew, while the store looks.
  @Test(arguments: fates.filter { $0 != .removedByAnotherLibrary })
  func aReadOnlyStoreTellsItsResults(_ fate: Fate) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let owner = try makeStore(.file, in: folder)
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    configuration.externalChangePolling = .milliseconds(5)
    let store = try Store.open(at: path, configuration: configuration)
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]))
    let failures = FailureCounter()
    let token = results.observe(on: .immediate) { event in
      if case .didFail(let error) = event { failures.append(error) }
    }
    try results.load()
    #expect(results.numberOfItems == 4)
    try store.checkForExternalChanges()
    try suffer(fate, path, in: folder)
    try endingInTime { failures.wait() }
    #expect((failures.first as? StoreError)?.code == .fileReplaced)
    token.cancel()
    try store.close()
    try owner.close()
  }

  // MARK: - What is no fault

  @Test func aLogThatComesBackIsWrittenAgain() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(.file, in: folder)
    #expect(rename(path + "-wal", path + ".old") == 0)
    try expectStoreError(.fileReplaced) { try Self.insert(store) }
    #expect(rename(path + ".old", path + "-wal") == 0)
    try Self.insert(store)
    try store.close()
    #expect(store.closeOutcome?.isComplete == true && store.closeOutcome?.remainingLog == nil)
    #expect(try Self.count(path) == 5)
  }

  @Test func anEmptyLogIsWrittenAnew() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(.file, in: folder)
    for _ in 0..<3 {
      try store.checkpoint(.truncate)
      try Self.insert(store)
    }
    let other = try Store.open(at: folder.file("store.sqlite"))
    try Self.insert(other)
    try other.close()
    try Self.insert(store)
    #expect(try Self.count(store) == 9)
    try store.close()
    #expect(store.closeOutcome?.isComplete == true)
  }

  /// A connection that leaves WAL mode removes its log, and has a new one when it comes back.
  @Test func anAdoptedConnectionMayChangeItsJournal() throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file("store.sqlite"))
    let store = try Store(adopting: queue)
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    for mode in ["wal", "delete", "wal", "truncate", "wal", "memory", "wal"] {
      try queue.inDatabase { db throws in
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)") == mode)
      }
      for _ in 0..<2 { try Self.insert(store) }
      try store.checkForExternalChanges()
    }
    #expect(unlink(folder.file("store.sqlite-wal")) == 0)
    try expectStoreError(.fileReplaced) { try Self.insert(store) }
    try store.close()
  }

  /// A log that was left is nobody's, though its number is that of a file which is open: of another
  /// one by then, or of whoever reads it.
  @Test func aLogThatWasLeftMayBeOpenElsewhere() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let queue = try DatabaseQueue(path: path)
    let store = try Store(adopting: queue)
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    try queue.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = wal") }
    for _ in 0..<2 { try Self.insert(store) }
    let descriptor = open(path + "-wal", O_RDONLY)
    defer { close(descriptor) }
    #expect(descriptor >= 0)
    try queue.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = delete") }
    for _ in 0..<2 { try Self.insert(store) }
    try store.checkForExternalChanges()
    #expect(try Self.count(store) == 4)
    try store.close()
  }

  /// Another program may switch the journal of a file that nobody reads just then.
  @Test func aFileThatGetsALogIsFollowed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try Store(adopting: DatabaseQueue(path: path))
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    try ForeignProgram.shell(path, "PRAGMA journal_mode = wal;", "INSERT INTO item VALUES (7);")
    for _ in 0..<3 { try Self.insert(store) }
    #expect(try Self.count(store) == 4)
    #expect(unlink(path + "-wal") == 0)
    try expectStoreError(.fileReplaced) { try Self.insert(store) }
    try store.close()
  }
}

/// Hears of failures.
private final class FailureCounter: Sendable {
  private let errors = Mutex<[any Error]>([])
  private let arrived = DispatchSemaphore(value: 0)

  var first: (any Error)? { errors.withLock { $0.first } }

  func append(_ error: any Error) {
    errors.withLock { $0.append(error) }
    arrived.signal()
  }

  func wait() { arrived.wait() }
}
