import Foundation
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// A store goes on with the file it has open; somebody else may put another one in its place.
@Suite(.timeLimit(.minutes(60))) struct FileReplacedTests {
  @Test(arguments: StorageKind.allCases.filter { $0 != .memory })
  func resultsOfAReplacedFileFailOnceAndRecover(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    let path = folder.file("store.sqlite")
    try store.write { try $0.execute(SmallWorld.schema) }
    let live = try LiveResults<UntypedRow>(SmallWorld.plan, in: store)
    live.recorder.reset()
    try store.checkForExternalChanges()
    #expect(live.recorder.errors.isEmpty)

    #expect(rename(path, path + ".old") == 0)
    for _ in 0..<2 {
      try expectStoreError(.fileReplaced) { try store.checkForExternalChanges() }
    }
    #expect(live.recorder.errors.count == 1)
    #expect((live.recorder.errors.first as? StoreError)?.code == .fileReplaced)
    #expect(live.results.numberOfItems == 4)

    // Another file in its place is not the one that is open.
    try Data().write(to: URL(fileURLWithPath: path))
    try expectStoreError(.fileReplaced) { try store.checkForExternalChanges() }

    #expect(rename(path + ".old", path) == 0)
    try store.checkForExternalChanges()
    #expect(live.recorder.errors.count == 1)
    try live.check()
    try store.close()
  }

  @Test func aStoreInMemoryHasNoFileToLose() throws {
    let store = try Store.inMemory()
    try store.checkForExternalChanges()
  }

  // MARK: - Writing

  /// What may become of the name of an open file.
  enum Fate: CaseIterable {
    case renamed, deleted, replaced
  }

  private static func count(_ path: String) throws -> StoredValue? {
    let store = try Store.open(at: path)
    defer { try? store.close() }
    return try count(store)
  }

  private static func count(_ store: Store) throws -> StoredValue? {
    try store.read { try $0.query("SELECT count(*) AS n FROM item") }.first?["n"]
  }

  private func makeStore(_ path: String, rows: Int) throws -> Store {
    let store = try Store.open(at: path)
    try store.write { tx in
      try tx.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
      for _ in 0..<rows { try tx.execute("INSERT INTO item DEFAULT VALUES") }
    }
    return store
  }

  private func suffer(_ fate: Fate, _ path: String, in folder: TemporaryFolder) throws {
    switch fate {
    case .renamed: #expect(rename(path, path + ".old") == 0)
    case .deleted: #expect(unlink(path) == 0)
    case .replaced:
      let other = folder.file("restored.sqlite")
      try makeStore(other, rows: 7).close()
      // A log that stays behind is SQLite's to find, and belongs to the file that was there.
      for suffix in ["-wal", "-shm"] { #expect(unlink(path + suffix) == 0) }
      #expect(rename(other, path) == 0)
    }
  }

  @Test(arguments: Fate.allCases)
  func writingIsRefusedWhereTheFileIsNoLongerAtItsPath(_ fate: Fate) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(path, rows: 3)
    #expect(try Self.count(store) == 3)  // A reader is open.
    try suffer(fate, path, in: folder)
    try expectStoreError(.fileReplaced) {
      try store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    }
    try expectStoreError(.fileReplaced) { try store.checkpoint(.truncate) }
    #expect(try Self.count(store) == 3)
    try store.close()
    if fate == .replaced { #expect(try Self.count(path) == 7) }
  }

  @Test(arguments: Fate.allCases)
  func transactionIsUndoneWhereTheFileGoesBeforeItsCommit(_ fate: Fate) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(path, rows: 3)
    #expect(try Self.count(store) == 3)
    try expectStoreError(.fileReplaced) {
      try store.write { tx in
        try tx.execute("INSERT INTO item DEFAULT VALUES")
        try suffer(fate, path, in: folder)
      }
    }
    #expect(try Self.count(store) == 3)
    try store.close()
    if fate == .replaced { #expect(try Self.count(path) == 7) }
  }

  @Test func readerThatWouldOpenAnotherFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(path, rows: 3)
    try suffer(.replaced, path, in: folder)
    try expectStoreError(.fileReplaced) { _ = try Self.count(store) }
    try store.close()
  }

  @Test func fileGoesOnInAFolderThatWasMoved() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.file("old"), folder.file("new"))
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
    let store = try makeStore(old + "/store.sqlite", rows: 3)
    #expect(rename(old, new) == 0)
    try store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    #expect(try Self.count(new + "/store.sqlite") == 4)
    try store.close()
    #expect(try Self.count(new + "/store.sqlite") == 4)
  }

  @Test func fileWithASecondNameIsReadAndNotWritten() throws {
    let folder = try TemporaryFolder()
    let (path, second) = (folder.file("store.sqlite"), folder.file("second.sqlite"))
    let store = try makeStore(path, rows: 3)
    #expect(link(path, second) == 0)
    try expectStoreError(.fileLinked) {
      try store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    }
    #expect(try Self.count(store) == 3)
    #expect(unlink(second) == 0)
    try store.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    try store.close()
    #expect(try Self.count(path) == 4)
  }

  /// What has become of the file that took the place of an open one, when the first store closes.
  enum Successor: CaseIterable {
    case unopened, opened, written
  }

  @Test(arguments: Successor.allCases)
  func closingAReplacedStoreLeavesTheLogOfItsSuccessor(_ successor: Successor) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try makeStore(path, rows: 3)
    try suffer(.replaced, path, in: folder)
    var next: Store?
    if successor != .unopened { next = try Store.open(at: path) }
    if successor == .written {
      try next?.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    }
    let log = FileIdentity(path + "-wal")
    try store.close()
    #expect(FileIdentity(path + "-wal") == log)
    try next?.write { try $0.execute("INSERT INTO item DEFAULT VALUES") }
    try next?.close()
    let expected: StoredValue = successor == .unopened ? 7 : successor == .opened ? 8 : 9
    #expect(try Self.count(path) == expected)
  }
}
