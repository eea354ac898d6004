import Foundation
import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

@Suite(.timeLimit(.minutes(60))) struct StoreOpeningTests {
  /// Opens a path that cannot be opened, and returns the error.
  @discardableResult
  private func expectFailure(
    _ code: StoreError.Code, at path: String, isReadOnly: Bool = false,
    naming part: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StoreError {
    var configuration = StoreConfiguration()
    configuration.isReadOnly = isReadOnly
    configuration.busyTimeout = .milliseconds(50)
    let error = try expectStoreError(code, sourceLocation: sourceLocation) {
      try Store.open(at: path, configuration: configuration)
    }
    #expect(error.message.contains(part ?? path), "\(error)", sourceLocation: sourceLocation)
    #expect(error.hint != nil, sourceLocation: sourceLocation)
    return error
  }

  /// Creates a database of many pages and returns its path; nobody has it open.
  private func makeDatabase(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("store.sqlite")
    let store = try Store.open(at: path)
    try store.write { transaction in
      try transaction.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
      try transaction.execute(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
        INSERT INTO item SELECT n, 'name ' || n FROM number
        """)
    }
    try store.close()
    return path
  }

  private func count(_ store: Store) throws -> StoredValue? {
    try store.read { try $0.query("SELECT count(*) AS n FROM item").first?["n"] }
  }

  @Test func openCreatesTheFileAndFindsItAgain() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let store = try Store.open(at: path)
    #expect(store.path == path)
    #expect(try count(store) == 2000)
  }

  @Test func pathThatLooksLikeAURIIsAPath() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a?mode=memory#b%20c")
    try Store.open(at: path).write { try $0.execute("CREATE TABLE item (id)") }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func emptyPathIsRefused() throws {
    try expectFailure(.cannotOpen, at: "", naming: "path")
  }

  @Test func memoryPathIsRefusedWithAHint() throws {
    let error = try expectFailure(.cannotOpen, at: ":memory:")
    #expect(error.hint == "Use Store.inMemory.")
  }

  @Test func pathWithNULIsRefused() throws {
    let folder = try TemporaryFolder()
    try expectFailure(.cannotOpen, at: folder.file("a\0b"), naming: "NUL")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func directoryIsRefused() throws {
    let folder = try TemporaryFolder()
    let error = try expectFailure(.cannotOpen, at: folder.path)
    #expect(error.message.hasSuffix("is a directory"))
  }

  @Test func missingFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    let error = try expectFailure(.cannotOpen, at: folder.file("missing/store.sqlite"))
    #expect(error.message.contains("\(folder.path)/missing does not exist"))
  }

  @Test func folderThatIsAFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("text", to: "file")
    let error = try expectFailure(.cannotOpen, at: "\(file)/store.sqlite")
    #expect(error.message.contains("is a file, not a folder"))
  }

  @Test func folderThatTakesNoFilesIsRefused() throws {
    // Nobody creates files in /proc, not even the superuser, who passes permission checks.
    try expectFailure(.cannotOpen, at: "/proc/sectile.sqlite")
  }

  @Test func missingFileIsNotCreatedReadOnly() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let error = try expectFailure(.cannotOpen, at: path, isReadOnly: true)
    #expect(error.message.hasSuffix("there is no such file"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [false, true])
  func otherFileIsRefusedAndLeftAsItWas(_ isReadOnly: Bool) throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "This is a letter, not a database. ", count: 100)
    let path = try folder.write(text, to: "letter.txt")
    try expectFailure(.notADatabase, at: path, isReadOnly: isReadOnly)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["letter.txt"])
  }

  @Test func emptyFileIsANewDatabase() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "store.sqlite")
    let store = try Store.open(at: path)
    try store.write { try $0.execute("CREATE TABLE item (id); INSERT INTO item VALUES (1)") }
    #expect(try store.read { try $0.query("SELECT id FROM item").count } == 1)
  }

  @Test func fileCutShortIsCorrupt() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try folder.write(bytes.prefix(bytes.count / 2), to: "store.sqlite")
    let error = try expectFailure(.corrupt, at: path)
    #expect(error.hint?.contains("Keep the file") == true)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func headerCutShortIsCorrupt() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try folder.write(bytes.prefix(50), to: "store.sqlite")
    try expectFailure(.corrupt, at: path)
  }

  @Test func corruptionFoundLaterIsTheSameError() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for position in 4096 * 2..<bytes.count {
      bytes[position] = 0xAA
    }
    try folder.write(bytes, to: "store.sqlite")
    let store = try Store.open(at: path)
    let error = try expectStoreError(.corrupt) {
      try store.read { try $0.query("SELECT count(name) FROM item") }
    }
    #expect(error.message.contains(path))
    try expectStoreError(.corrupt) {
      try store.write { try $0.execute("UPDATE item SET name = 'x'") }
    }
  }

  @Test func exclusivelyLockedFileIsBusy() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let other = try DatabaseQueue(path: path)
    try other.inDatabase { db in
      try db.execute(sql: "CREATE TABLE item (id); BEGIN EXCLUSIVE")
      let error = try expectFailure(.busy, at: path)
      #expect(error.hint?.contains("busyTimeout") == true)
      try db.execute(sql: "ROLLBACK")
    }
    try Store.open(at: path).write { try $0.execute("INSERT INTO item VALUES (1)") }
  }

  @Test func readOnlyStoreReadsAndRefusesToWrite() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let store = try Store.open(at: path, configuration: configuration)
    #expect(try count(store) == 2000)
    let error = try expectStoreError(.readOnly) { try store.write { _ in } }
    #expect(error.message.contains(path))
    try expectStoreError(.readOnly) {
      try store.read { try $0.query("DELETE FROM item RETURNING id") }
    }
  }

  @Test func fullDatabaseIsAnErrorAndStoresNothing() throws {
    let folder = try TemporaryFolder()
    let path = try makeDatabase(in: folder)
    let store = try Store.open(at: path)
    try store.databaseWriter.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
    }
    let error = try expectStoreError(.diskFull) {
      try store.write { transaction in
        try transaction.execute("DELETE FROM item WHERE id = 1")
        try transaction.execute("INSERT INTO item (name) VALUES (zeroblob(1000000))")
      }
    }
    #expect(error.message.contains(path))
    #expect(error.hint?.contains("Free space") == true)
    #expect(try count(store) == 2000)
  }

  @Test func storesInMemoryShareADatabaseByName() throws {
    let name = "shared & named? \(UUID())"
    let one = try Store.inMemory(named: name)
    let other = try Store.inMemory(named: name)
    let lonely = try Store.inMemory()
    try one.write { try $0.execute("CREATE TABLE item (id)") }
    #expect(try other.read { try $0.query("SELECT * FROM item") } == [])
    try expectStoreError(.statementFailed) {
      try lonely.read { try $0.query("SELECT * FROM item") }
    }
    #expect(one.path == nil)
  }
}
