import SectileCore
import Testing

@testable import SectileStore

@Suite struct TableSchemaTests {
  /// Hands the schema of one table to `body`: read by a store, and by a connection that inspects.
  private func read(
    _ table: String, of script: String, _ body: (TableSchema) throws -> Void
  ) throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute(script) }
    try body(#require(try store.read { try TableSchema(of: table, in: $0) }))
    let connection = try InspectionConnection.inMemory()
    try connection.run(script) { _ in }
    try body(#require(try TableSchema(of: table, in: connection)))
  }

  @Test func columnsAreReadInTheirOrder() throws {
    let script = """
      CREATE TABLE Item (id INTEGER PRIMARY KEY, "a ""b" TEXT NOT NULL DEFAULT 'x',
        "select" ANY, n REAL COLLATE NOCASE, t TEXT COLLATE rtrim DEFAULT (1 + 1)) STRICT
      """
    try read("iTEM", of: script) { schema in
      #expect(schema.name == "Item")
      #expect(schema.kind == .table)
      #expect(schema.listing.isStrict)
      #expect(schema.columns.map(\.name) == ["id", "a \"b", "select", "n", "t"])
      #expect(schema.columns.map(\.declaredType) == ["INTEGER", "TEXT", "ANY", "REAL", "TEXT"])
      #expect(schema.columns.map(\.isNotNull) == [false, true, false, false, false])
      #expect(schema.columns.map(\.defaultValue) == [nil, "'x'", nil, nil, "1 + 1"])
      #expect(schema.columns.map(\.keyPosition) == [1, 0, 0, 0, 0])
      #expect(schema.columns.map(\.collation) == [.binary, .binary, .binary, .nocase, .rtrim])
      #expect(schema.columns.allSatisfy { $0.origin == .written })
    }
  }

  @Test(
    arguments: [
      ("id INTEGER PRIMARY KEY, a", "id"),
      ("id integer primary key autoincrement, a", "id"),
      ("a, \"the \"\"id\" INTEGER, PRIMARY KEY (\"the \"\"id\")", "the \"id"),
      // SQLite looks at the direction only where it stands beside the column.
      ("id INTEGER, a, PRIMARY KEY (id DESC)", "id"),
      ("id INTEGER PRIMARY KEY DESC, a", nil),
      ("id INT PRIMARY KEY, a", nil),
      ("id INTEGER, a, PRIMARY KEY (id, a)", nil),
      ("id INTEGER UNIQUE, a", nil),
      ("id, a", nil),
    ] as [(String, String?)])
  func theRowIDIsAKeyWithoutAnIndexOfItsOwn(_ columns: String, _ rowID: String?) throws {
    try read("t", of: "CREATE TABLE t (\(columns))") { schema in
      #expect(schema.rowIDColumn == rowID)
      #expect(schema.rowIDNames == ["rowid", "_rowid_", "oid"])
    }
    let store = try Store.inMemory()
    try store.write { transaction in
      try transaction.execute("CREATE TABLE t (\(columns))")
      // SQLite's own answer: a row id that is the column by another name changes with it.
      try transaction.execute("INSERT INTO t (rowid, a) VALUES (5, 'x')")
      let names = try #require(try TableSchema(of: "t", in: transaction)).columns.map(\.name)
      let numbers = try names.filter { name in
        try transaction.query("SELECT \(SQLName.quote(name)) FROM t")[0].values[0] == 5
      }
      #expect(numbers == [rowID].compactMap { $0 })
    }
  }

  @Test func tablesWithoutRowIDsHaveNone() throws {
    try read("t", of: "CREATE TABLE t (id INTEGER PRIMARY KEY, a) WITHOUT ROWID") { schema in
      #expect(schema.listing.isWithoutRowID)
      #expect(schema.rowIDColumn == nil)
      #expect(schema.rowIDNames.isEmpty)
      #expect(schema.columns.map(\.isNotNull) == [true, false])
    }
  }

  @Test func keyColumnsStandInTheOrderOfTheKey() throws {
    try read("t", of: "CREATE TABLE t (a, b, c, PRIMARY KEY (c, a))") { schema in
      #expect(schema.keyColumns == ["c", "a"])
      #expect(schema.columns.map(\.keyPosition) == [2, 0, 1])
    }
  }

  @Test func computedColumnsTakeNoRoomUnlessTheyAreStored() throws {
    let script = """
      CREATE TABLE t (a, b AS (a + 1), c AS (a + 2) STORED, d)
      """
    try read("t", of: script) { schema in
      #expect(schema.columns.map(\.origin) == [.written, .computed, .computedAndStored, .written])
      #expect(schema.columns.map(\.isGenerated) == [false, true, true, false])
      #expect(schema.storedColumns.map(\.name) == ["a", "c", "d"])
    }
  }

  @Test func takenNamesOfRowIDsAreLeftOut() throws {
    try read("t", of: "CREATE TABLE t (ROWID TEXT, \"oid\" AS (1), a)") { schema in
      #expect(schema.rowIDNames == ["_rowid_"])
      #expect(schema.rowIDColumn == nil)
    }
    try read("t", of: "CREATE TABLE t (oid INTEGER PRIMARY KEY, rowid, _rowid_)") { schema in
      #expect(schema.rowIDNames.isEmpty)
      #expect(schema.rowIDColumn == "oid")
    }
  }

  @Test func virtualTablesHaveHiddenColumnsAndShadowTables() throws {
    let script = "CREATE VIRTUAL TABLE note USING fts5(body)"
    try read("note", of: script) { schema in
      #expect(schema.kind == .virtual)
      #expect(schema.columns.map(\.name) == ["body", "note", "rank"])
      #expect(schema.columns.map(\.origin) == [.written, .hidden, .hidden])
      #expect(schema.rowIDColumn == nil)
      #expect(schema.rowIDNames.first == "rowid")
    }
    try read("note_content", of: script) { schema in
      #expect(schema.kind == .shadow)
      #expect(schema.rowIDColumn == "id")
    }
  }

  @Test func viewsHaveColumnsAndNoRowIDs() throws {
    let script = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE NOT NULL);
      CREATE VIEW "the view" AS SELECT id, a AS "an ""a" FROM t
      """
    try read("the VIEW", of: script) { schema in
      #expect(schema.name == "the view")
      #expect(schema.kind == .view)
      #expect(schema.columns.map(\.name) == ["id", "an \"a"])
      #expect(schema.columns.map(\.collation) == [.binary, .binary])
      #expect(schema.keyColumns.isEmpty)
      #expect(schema.rowIDColumn == nil)
      #expect(schema.rowIDNames.isEmpty)
    }
  }

  @Test func collationsHaveOneNameHoweverTheyAreWritten() throws {
    let script = "CREATE TABLE t (a TEXT COLLATE \"NoCase\", b TEXT COLLATE [binary])"
    try read("t", of: script) { schema in
      #expect(schema.columns.map(\.collation.name) == ["NOCASE", "BINARY"])
    }
  }

  @Test func temporaryTablesAreNotMeant() throws {
    let script = """
      CREATE TABLE t (id TEXT PRIMARY KEY);
      CREATE TEMP TABLE t (id INTEGER PRIMARY KEY, b);
      CREATE TEMP TABLE only (id INTEGER PRIMARY KEY);
      """
    try read("t", of: script) { schema in
      #expect(schema.columns.map(\.declaredType) == ["TEXT"])
      #expect(schema.rowIDColumn == nil)
    }
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(script)
      #expect(try TableSchema(of: "only", in: $0) == nil)
      #expect(try TableSchema(of: "t\0", in: $0) == nil)
      #expect(try TableColumns(of: "t", in: $0.db)?.column(named: "b") == nil)
    }
  }

  @Test func allTablesAreReadButSQLitesOwnAndShadowTables() throws {
    let connection = try InspectionConnection.inMemory()
    try connection.run(
      """
      CREATE TABLE b (x);
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE VIRTUAL TABLE c USING fts5(body);
      CREATE VIEW d AS SELECT * FROM gone;
      """
    ) { _ in }
    let schemas = try TableSchema.all(in: connection)
    #expect(schemas.map(\.name) == ["a", "b", "c", "d"])
    #expect(schemas.map(\.kind) == [.table, .table, .virtual, .view])
    #expect(schemas.map { $0.columns.count } == [1, 1, 3, 0])
    #expect(throws: StoreError.self) { try TableSchema(of: "d", in: connection) }
  }

  @Test func aTransactionThatHasEndedIsNotAsked() throws {
    let store = try Store.inMemory()
    let ended = try store.read { $0 }
    let error = #expect(throws: StoreError.self) { try TableSchema(of: "t", in: ended) }
    #expect(error?.code == .transactionInactive)
  }
}
