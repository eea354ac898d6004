import Foundation
import SectileCore
import Synchronization
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct InspectionConnectionTests {
  private let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-inspect-\(UUID().uuidString).sqlite").path
    let store = try Store.open(at: path)
    try store.write { transaction in
      try transaction.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
        CREATE INDEX item_by_name ON item (name);
        CREATE VIEW named AS SELECT * FROM item WHERE name IS NOT NULL;
        CREATE VIEW broken AS SELECT * FROM gone;
        CREATE VIRTUAL TABLE note USING fts5 (body);
        INSERT INTO item VALUES (1, 'a'), (2, NULL), (3, CAST(x'41ff' AS TEXT));
        INSERT INTO note VALUES ('hello world');
        """)
    }
    try store.close()
  }

  private func remove() {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func rows(
    _ connection: InspectionConnection, _ sql: String
  ) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    try connection.run(sql) { rows.append($0) }
    return rows
  }

  @Test func runYieldsColumnsAndRowsOfEachStatement() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    var heads: [[String]] = []
    var rows: [[StoredValue]] = []
    let changes = try connection.run(
      "SELECT id, name FROM item WHERE id < 3; -- done\n SELECT x'00ff' AS b, 1.5 AS r;  ",
      columns: { heads.append($0) }, row: { rows.append($0) })
    #expect(heads == [["id", "name"], ["b", "r"]])
    #expect(
      rows == [[.integer(1), .text("a")], [.integer(2), .null], [.blob([0, 0xFF]), .real(1.5)]])
    #expect(changes == 0)
  }

  @Test func statementsRunAgainWithOtherValues() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path, access: .readWrite)
    let insertion = try connection.prepare("INSERT INTO item VALUES (?, ?)")
    #expect(insertion.parameterCount == 2)
    #expect(insertion.columnNames.isEmpty)
    let texts = ["", "a\u{0}b", "日本"]
    for (offset, text) in texts.enumerated() {
      try insertion.run([.integer(Int64(10 + offset)), .text(text)])
    }
    try insertion.run([.integer(20), .blob([])])
    try insertion.run([.integer(21)])
    #expect(connection.changeCount == 5)
    #expect(
      try rows(connection, "SELECT name FROM item WHERE id >= 10 ORDER BY id").map { $0[0] }
        == texts.map { .text($0) } + [.blob([]), .null])
    #expect(throws: StoreError.self) { try insertion.run([.null, .null, .null]) }
    #expect(throws: StoreError.self) { try insertion.run([.integer(20), .null]) }
    for text in ["", " -- nothing", "SELECT 1; SELECT 2", "SELEC"] {
      #expect(throws: StoreError.self) { try connection.prepare(text) }
    }
  }

  @Test func textIsTakenStatementByStatement() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    var text = Array("SELECT 1; ; SELECT 2 -- end".utf8)[...]
    #expect(try connection.nextStatement(of: &text)?.sql == "SELECT 1;")
    #expect(try connection.nextStatement(of: &text)?.sql.contains("SELECT 2") == true)
    #expect(try connection.nextStatement(of: &text) == nil)
    #expect(InspectionConnection.isComplete("SELECT ';';"))
    #expect(!InspectionConnection.isComplete("SELECT ';'"))
    #expect(
      !InspectionConnection.isComplete("CREATE TRIGGER t AFTER INSERT ON item BEGIN SELECT 1;"))
  }

  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test func whatRunsCanBeStoppedFromAnotherThread() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    let group = DispatchGroup()
    // A thread of its own: tasks share few threads, and the statement would keep one of them.
    let interrupter = connection.interrupter
    let flag = Flag()
    group.enter()
    Thread.detachNewThread {
      while !flag.isSet {
        interrupter.interrupt()
        Thread.sleep(forTimeInterval: 0.005)
      }
      group.leave()
    }
    let error = #expect(throws: StoreError.self) { try rows(connection, Self.endless) }
    #expect(error?.code == .interrupted)
    flag.set()
    group.wait()
    #expect(try rows(connection, "SELECT 1") == [[.integer(1)]])
  }

  @Test func progressIsToldAndMayEndAStatement() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    var calls = 0
    connection.setProgress(every: 1000) {
      calls += 1
      return calls < 3
    }
    let error = #expect(throws: StoreError.self) { try rows(connection, Self.endless) }
    #expect(error?.code == .interrupted)
    #expect(calls == 3)
    connection.setProgress(nil)
    #expect(try rows(connection, "SELECT 1") == [[.integer(1)]])
  }

  @Test func aViewWithoutEndIsListedWithoutACount() throws {
    defer { remove() }
    let store = try Store.open(at: path)
    try store.write {
      try $0.execute(
        "CREATE VIEW endless AS "
          + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    }
    try store.close()
    let connection = try InspectionConnection(path: path)
    let tables = try connection.tables()
    #expect(tables.first { $0.name == "endless" }?.rowCount == .some(nil))
    #expect(tables.first { $0.name == "item" }?.rowCount == 3)
  }

  @Test func aFileIsCreatedOnlyWhereThatIsAskedFor() throws {
    remove()
    #expect(throws: StoreError.self) { try InspectionConnection(path: path, access: .readWrite) }
    #expect(!FileManager.default.fileExists(atPath: path))
    defer { remove() }
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run("CREATE TABLE t (x)") { _ in }
    #expect(try connection.tables().map(\.name) == ["t"])
  }

  @Test func whatIsNoFileIsRefusedAndNotWaitedFor() throws {
    defer { remove() }
    remove()
    #expect(mkfifo(path, 0o600) == 0)
    for path in [path, "/dev/null", "/dev/zero"] {
      let error = #expect(throws: StoreError.self) { try InspectionConnection(path: path) }
      #expect(error?.code == .cannotOpen)
      #expect(throws: StoreError.self) { try Store.open(at: path) }
    }
  }

  @Test func anRTreeIsRead() throws {
    defer { remove() }
    let store = try Store.open(at: path)
    try store.write {
      try $0.execute(
        "CREATE VIRTUAL TABLE box USING rtree(id, x0, x1); INSERT INTO box VALUES (1, 2, 3)")
    }
    try store.close()
    let connection = try InspectionConnection(path: path)
    #expect(try rows(connection, "SELECT id FROM box") == [[.integer(1)]])
    for sql in [
      "INSERT INTO box VALUES (2, 3, 4)", "DELETE FROM box_node", "UPDATE item SET name = 'x'",
      "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x (y)')",
    ] {
      #expect(throws: StoreError.self) { try rows(connection, sql) }
    }
    #expect(try !rows(connection, "EXPLAIN QUERY PLAN DELETE FROM item WHERE id = 1").isEmpty)
  }

  @Test func textThatIsNotUTF8IsShownRepaired() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    #expect(try rows(connection, "SELECT name FROM item WHERE id = 3") == [[.text("A\u{FFFD}")]])
  }

  @Test func aViewThatMakesAGigabyteIsListedWithoutRunningIt() throws {
    defer { remove() }
    let store = try Store.open(at: path)
    try store.write {
      try $0.execute("CREATE VIEW large AS SELECT zeroblob(900000000) AS a")
    }
    try store.close()
    let connection = try InspectionConnection(path: path)
    #expect(try connection.tables().first { $0.name == "large" }?.rowCount == .some(nil))
    // Whoever asks for it anyway is told that it is too large, before it is made.
    let error = #expect(throws: StoreError.self) { try rows(connection, "SELECT * FROM large") }
    #expect(error?.code == .tooBig)
  }

  @Test func aCountOfRowsIsGivenForTablesAndNothingElse() throws {
    defer { remove() }
    let tables = try InspectionConnection(path: path).tables()
    let byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    #expect(byName["item"] == InspectedTable(name: "item", kind: .table, rowCount: 3))
    #expect(byName["named"] == InspectedTable(name: "named", kind: .view, rowCount: nil))
    #expect(byName["broken"] == InspectedTable(name: "broken", kind: .view, rowCount: nil))
    #expect(byName["note"] == InspectedTable(name: "note", kind: .virtual, rowCount: nil))
  }

  @Test func schemaOfATableIncludesItsIndexes() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    #expect(
      try connection.schema(of: "ITEM") == [
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE INDEX item_by_name ON item (name)",
      ])
    #expect(try connection.schema(of: "nothing").isEmpty)
    #expect(try connection.schema().count >= 5)
  }

  @Test(arguments: [
    "INSERT INTO item VALUES (9, 'x')", "UPDATE item SET name = 'x'", "DELETE FROM item",
    "CREATE TABLE t (x)", "CREATE TEMP TABLE t (x)", "DROP TABLE item", "ALTER TABLE item ADD x",
    "ATTACH ':memory:' AS m", "VACUUM", "VACUUM INTO '/dev/null'", "REINDEX", "ANALYZE",
    "PRAGMA query_only = OFF", "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 7",
    "PRAGMA wal_checkpoint", "PRAGMA writable_schema = ON", "PRAGMA temp_store_directory = '/'",
    "UPDATE sqlite_master SET sql = ''", "INSERT INTO note VALUES ('x')",
    "INSERT INTO note (note) VALUES ('optimize')",
  ])
  func readOnlyRefusesWhatChangesSomething(sql: String) throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    #expect(throws: StoreError.self) { try connection.run(sql) { _ in } }
    #expect(try rows(connection, "PRAGMA query_only") == [[.integer(1)]])
    #expect(try rows(connection, "SELECT count(*) FROM item") == [[.integer(3)]])
    #expect(try rows(connection, "PRAGMA user_version") == [[.integer(0)]])
  }

  @Test(arguments: [
    "SELECT * FROM note WHERE note MATCH 'hello'", "SELECT * FROM pragma_table_info('item')",
    "PRAGMA table_info(item)", "PRAGMA integrity_check", "EXPLAIN QUERY PLAN SELECT * FROM item",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3) SELECT x FROM c",
    "SELECT name, upper(name), row_number() OVER () FROM item",
    "SELECT value FROM json_each('[1,2]')",
  ])
  func readOnlyAllowsWhatReads(sql: String) throws {
    defer { remove() }
    #expect(try !rows(InspectionConnection(path: path), sql).isEmpty)
  }

  @Test func refusalsAreOneKindOfError() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    let error = #expect(throws: StoreError.self) { try connection.run("DELETE FROM item") { _ in } }
    #expect(error?.code == .notAuthorized)
    #expect(error?.message.contains(path) == true)
    #expect(error?.hint != nil)
  }

  @Test func readWriteChangesRowsAndCountsThem() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path, access: .readWrite)
    let changes = try connection.run("DELETE FROM item WHERE id = 1; VACUUM") { _ in }
    #expect(changes == 1)
    #expect(try rows(connection, "SELECT count(*) FROM item") == [[.integer(2)]])
  }

  @Test func badSQLNamesTheFileAndTheStatement() throws {
    defer { remove() }
    let connection = try InspectionConnection(path: path)
    let error = #expect(throws: StoreError.self) { try connection.run("SELEC 1") { _ in } }
    #expect(error?.code == .statementFailed)
    #expect(error?.message.hasPrefix(path) == true)
  }

  @Test func filesThatCannotBeOpenedAreTold() throws {
    remove()
    let missing = #expect(throws: StoreError.self) { try InspectionConnection(path: path) }
    #expect(missing?.code == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: path))
    let folder = FileManager.default.temporaryDirectory.path
    #expect(throws: StoreError.self) { try InspectionConnection(path: folder) }
    #expect(throws: StoreError.self) { try InspectionConnection(path: ":memory:") }

    defer { remove() }
    try Data(repeating: 0x41, count: 2000).write(to: URL(fileURLWithPath: path))
    let other = #expect(throws: StoreError.self) { try InspectionConnection(path: path) }
    #expect(other?.code == .notADatabase)
  }

  @Test func whatARowClosureThrowsEndsTheRun() throws {
    defer { remove() }
    struct Enough: Error {}
    let connection = try InspectionConnection(path: path)
    var count = 0
    #expect(throws: Enough.self) {
      try connection.run("SELECT id FROM item") { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
    #expect(try rows(connection, "SELECT 1") == [[.integer(1)]])
  }
}

/// Set once, on any thread.
private final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock { $0 } }

  func set() {
    value.withLock { $0 = true }
  }
}
