import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Files that are read beside a connection's own, and files that nobody changes.
@Suite struct InspectionAttachingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ name: String, _ sql: String) throws -> String {
    let path = folder.file(name)
    try InspectionConnection(path: path, access: .create).run(sql) { _ in }
    return path
  }

  private func rows(_ connection: InspectionConnection, _ sql: String) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    try connection.run(sql) { rows.append($0) }
    return rows
  }

  @Test(arguments: ["plain.db", "a%20b?mode=rwc#x&y ü'\".db"])
  func anAttachedFileIsRead(name: String) throws {
    let main = try make("main.db", "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let other = try make(name, "CREATE TABLE t (x); INSERT INTO t VALUES (2)")
    let connection = try InspectionConnection(path: main)
    try connection.attach(other, as: "o\"ther")
    #expect(
      try rows(connection, #"SELECT a.x, b.x FROM main.t AS a, "o""ther".t AS b"#)
        == [[.integer(1), .integer(2)]])
    for sql in ["ATTACH 'x.db' AS x", "DETACH \"o\"\"ther\"", "DELETE FROM \"o\"\"ther\".t"] {
      #expect(throws: StoreError.self) { try rows(connection, sql) }
    }
  }

  @Test func anAttachedFileIsOnlyReadWhereTheOwnIsWritten() throws {
    let main = try make("main.db", "CREATE TABLE t (x)")
    let other = try make("other.db", "CREATE TABLE t (x); INSERT INTO t VALUES (2)")
    let connection = try InspectionConnection(path: main, access: .readWrite)
    try connection.attach(other, as: "other")
    try connection.run("INSERT INTO main.t SELECT x FROM other.t") { _ in }
    #expect(throws: StoreError.self) { try rows(connection, "DELETE FROM other.t") }
    #expect(try rows(connection, "SELECT x FROM t") == [[.integer(2)]])
  }

  @Test func whatCannotBeAttachedIsRefusedAndAttachesNothing() throws {
    let main = try make("main.db", "CREATE TABLE t (x)")
    let text = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    let connection = try InspectionConnection(path: main)
    for (path, name) in [
      (folder.file("missing.db"), "a"), (text, "a"), (folder.url.path, "a"), (main, "main"),
    ] {
      let error = #expect(throws: StoreError.self) { try connection.attach(path, as: name) }
      #expect(error?.message.contains("file:") == false)
      #expect(error?.message.contains(path) == true)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing.db")))
    #expect(throws: StoreError.self) { try rows(connection, "ATTACH ':memory:' AS m") }
  }

  @Test func noMoreFilesThanSQLiteTakes() throws {
    let main = try make("main.db", "CREATE TABLE t (x)")
    let connection = try InspectionConnection(path: main)
    for number in 1...10 { try connection.attach(main, as: "copy\(number)") }
    #expect(throws: StoreError.self) { try connection.attach(main, as: "copy11") }
  }

  @Test func anAttachedFileKeepsNoLogBesideIt() throws {
    let main = try make("main.db", "CREATE TABLE t (x)")
    let other = try make("other.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    do {
      let connection = try InspectionConnection(path: main)
      try connection.attach(other, as: "other")
      #expect(try rows(connection, "SELECT count(*) FROM other.t") == [[.integer(0)]])
    }
    #expect(!FileManager.default.fileExists(atPath: other + "-wal"))
  }

  @Test func anImmutableFileIsReadWithoutAnyOtherBesideIt() throws {
    let path = try make("a?b.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let connection = try InspectionConnection(path: path, isImmutable: true)
    #expect(try rows(connection, "SELECT count(*) FROM t") == [[.integer(0)]])
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
    #expect(throws: StoreError.self) { try rows(connection, "DELETE FROM t") }
  }

  @Test func aLockKeepsNobodyFromAnImmutableFile() throws {
    let path = try make("locked.db", "CREATE TABLE t (x)")
    let writer = try InspectionConnection(path: path, access: .readWrite)
    try writer.run("BEGIN EXCLUSIVE") { _ in }
    #expect(throws: StoreError.self) {
      try InspectionConnection(path: path, busyTimeout: .zero)
    }
    let connection = try InspectionConnection(path: path, isImmutable: true)
    #expect(try rows(connection, "SELECT count(*) FROM t") == [[.integer(0)]])
  }
}
