import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Tools that write take the lock of writers as stores do.
@Suite(
  .enabled(
    if: ThisMachine.runs(
      "InspectionLockingTests", if: SQLiteRelease.linked.hasWALResetBug,
      otherwise: "SQLite \(SQLiteRelease.linked) does not have the WAL-reset bug")),
  .timeLimit(.minutes(60)))
struct InspectionLockingTests {
  private let folder: TemporaryFolder
  private let path: String
  private var lockPath: String { path + "-lock" }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
    let store = try Store.open(at: path)
    try store.write { transaction in
      try transaction.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
      try transaction.execute("CREATE TABLE sectile_log_state (one INTEGER PRIMARY KEY)")
    }
    try store.close()
  }

  private func connect(_ access: InspectionConnection.Access = .readWrite) throws
    -> InspectionConnection
  {
    try InspectionConnection(path: path, access: access, busyTimeout: .zero)
  }

  private func run(_ sql: String, on connection: InspectionConnection) throws {
    try connection.run(sql) { _ in }
  }

  @Test func statementsThatWriteAreBusyAndOthersAreNot() throws {
    let connection = try connect()
    let insertion = try connection.prepare("INSERT INTO item (name) VALUES (?)")
    let holder = try LockHolder(of: lockPath)
    for sql in [
      "INSERT INTO item (name) VALUES ('sed')", "BEGIN IMMEDIATE", "PRAGMA wal_checkpoint",
      "CREATE TABLE other (id)", "DELETE FROM item WHERE 0 RETURNING id", "VACUUM",
    ] {
      let error = try expectStoreError(.busy) { try run(sql, on: connection) }
      #expect(error.message.contains("store.sqlite-lock"), "\(sql)")
    }
    try insertion.set(.text("awk"), at: 0)
    try expectStoreError(.busy) { try insertion.runWithSetValues() }
    try run("SELECT * FROM item; BEGIN; SELECT * FROM item; COMMIT", on: connection)
    #expect(!connection.isLockHeld && !connection.isInTransaction)
    holder.end()
    try insertion.runWithSetValues()
    try run("VACUUM; PRAGMA wal_checkpoint", on: connection)
    #expect(!connection.isLockHeld)
    #expect(try connection.firstValue("SELECT count(*) FROM item") == .integer(1))
  }

  @Test(arguments: ["COMMIT", "ROLLBACK"])
  func aTransactionHasTheLockToItsEnd(_ end: String) throws {
    let (one, other) = (try connect(), try connect())
    try run("BEGIN", on: one)
    #expect(!one.isLockHeld)
    try run("INSERT INTO item (name) VALUES ('sed'); SELECT * FROM item", on: one)
    #expect(one.isLockHeld)
    let error = try expectStoreError(.busy) { try run("DELETE FROM item", on: other) }
    #expect(error.message.contains("store.sqlite-lock"))
    try run(end, on: one)
    #expect(!one.isLockHeld)
    try run("DELETE FROM item", on: other)
  }

  @Test func aStatementWhoseRowsAreAskedForHasTheLockToItsLastRow() throws {
    let (one, other) = (try connect(), try connect())
    let insertion = try one.prepare("INSERT INTO item (name) VALUES ('a'), ('b') RETURNING id")
    try insertion.start()
    #expect(try insertion.next() == [.integer(1)])
    // Another statement that ends meanwhile lets go of nothing.
    _ = try one.firstValue("SELECT 1")
    #expect(one.isLockHeld)
    try expectStoreError(.busy) { try run("DELETE FROM item", on: other) }
    #expect(try insertion.next() == [.integer(2)])
    #expect(try insertion.next() == nil)
    insertion.reset()
    #expect(!one.isLockHeld)
    try run("DELETE FROM item", on: other)
  }

  @Test func aStatementThatFailsLetsGo() throws {
    let (one, other) = (try connect(), try connect())
    try run("INSERT INTO item VALUES (1, 'sed')", on: one)
    #expect(throws: StoreError.self) { try run("INSERT INTO item VALUES (1, 'awk')", on: one) }
    #expect(!one.isLockHeld)
    try run("DELETE FROM item", on: other)
  }

  @Test func aConnectionThatIsGoneLetsGo() throws {
    let other = try connect()
    do {
      let one = try connect()
      try run("BEGIN IMMEDIATE", on: one)
      try expectStoreError(.busy) { try run("DELETE FROM item", on: other) }
    }
    try run("DELETE FROM item", on: other)
  }

  /// A process that is started in the middle of a write has a copy of the descriptor until it runs
  /// its own program: what is gone has let go all the same.
  @Test func aConnectionThatIsGoneLetsGoWhereAChildHasItsFiles() throws {
    let other = try connect()
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    do {
      let one = try connect()
      try run("BEGIN IMMEDIATE", on: one)
      copies = try copiesOfLockFile()
      #expect(!copies.isEmpty)
      try expectStoreError(.busy) { try run("DELETE FROM item", on: other) }
    }
    try run("DELETE FROM item", on: other)
  }

  /// Copies this process's descriptors of the lock file, as `fork` does.
  private func copiesOfLockFile() throws -> [CInt] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      return target == lockPath ? CInt(name).map { dup($0) } : nil
    }
  }

  @Test func whoReadsOrHasNoLogTakesNoLock() throws {
    let reader = try connect(.readOnly)
    #expect(reader.writerLock == nil)
    let plain = folder.file("plain.sqlite")
    let connection = try InspectionConnection(path: plain, access: .create)
    try run("CREATE TABLE item (id); INSERT INTO item VALUES (1)", on: connection)
    #expect(connection.writerLock?.state == .off)
    #expect(!FileManager.default.fileExists(atPath: plain + "-lock"))
    let memory = try InspectionConnection.inMemory()
    #expect(memory.writerLock == nil)
  }
}
