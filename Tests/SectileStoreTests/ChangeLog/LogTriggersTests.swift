import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

@Suite struct LogTriggersTests {
  /// Runs a script with the table `t`, then statements, and compares what each writes to the log.
  private func expectLog(
    of schema: String, table: String = "t", _ steps: [(sql: String, log: String)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Store.inMemory().write { transaction in
      try transaction.execute(schema)
      try transaction.installLog(on: table)
      for (sql, log) in steps {
        try transaction.execute(sql)
        let found = try transaction.takeLog()
        #expect(found == log, "\(sql)", sourceLocation: sourceLocation)
      }
    }
  }

  private func trackability(
    of table: String, _ schema: String
  ) throws -> LogTrackability {
    try Store.inMemory().write { transaction in
      try transaction.execute(schema)
      let schema = try #require(try TableSchema(of: table, in: transaction))
      return try LogTriggers.of(schema, id: 1, in: transaction)
    }
  }

  private func expectUntracked(
    _ table: String, _ schema: String, because part: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard case .untracked(let reason) = try trackability(of: table, schema) else {
      Issue.record("\(table) is tracked", sourceLocation: sourceLocation)
      return
    }
    #expect(reason.contains(part), "\(reason)", sourceLocation: sourceLocation)
  }

  // MARK: - Keys

  @Test func insertUpdateAndDeleteNameTheRow() throws {
    try expectLog(
      of: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)",
      [
        ("INSERT INTO t (a) VALUES ('x'), ('y')", "insert 1, insert 2"),
        ("UPDATE t SET a = 'z' WHERE id = 2", "update 2"),
        ("DELETE FROM t WHERE id = 1", "delete 1"),
        ("DELETE FROM t", "delete 2"),
      ])
  }

  @Test(arguments: ["id", "rowid", "_rowid_", "OID"])
  func aNewKeyIsNamedWithTheOldOne(_ column: String) throws {
    try expectLog(
      of: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'y')",
      [
        ("UPDATE t SET \(column) = 5 WHERE id = 1", "delete 1, update 5"),
        ("UPDATE OR REPLACE t SET \(column) = 5 WHERE id = 2", "delete 2, update 5"),
        (
          "INSERT INTO t VALUES (5, 'z') ON CONFLICT DO UPDATE SET \(column) = 6",
          "delete 5, update 6"
        ),
      ])
  }

  @Test func keysOfSeveralColumnsStandInTheirOrder() throws {
    try expectLog(
      of: "CREATE TABLE t (a TEXT, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID",
      [
        ("INSERT INTO t VALUES ('x', 1, 2)", "insert 2/'x'"),
        ("UPDATE t SET b = 3", "update 2/'x'"),
        ("UPDATE t SET a = 'y'", "delete 2/'x', update 2/'y'"),
      ])
  }

  @Test func keysAreKeptAsTheyAreStored() throws {
    try expectLog(
      of: "CREATE TABLE t (id PRIMARY KEY, a) WITHOUT ROWID",
      [
        ("INSERT INTO t VALUES (1, 0)", "insert 1"),
        ("UPDATE t SET id = 1.0", "delete 1, update 1.0"),
        ("REPLACE INTO t VALUES (1, 0)", "touched 1.0, insert 1"),
        ("UPDATE t SET id = '1'", "delete 1, update '1'"),
        ("UPDATE t SET id = x'31'", "delete '1', update X'31'"),
      ])
  }

  // MARK: - Guards

  @Test func rowsThatReplaceRemovesAreNamed() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE UNIQUE, b, UNIQUE (b, a));
        INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2), (3, NULL, 3), (4, NULL, 3)
        """,
      [
        ("REPLACE INTO t VALUES (7, 'X', 7)", "touched 1, insert 7"),
        ("UPDATE OR REPLACE t SET a = 'Y' WHERE id = 7", "touched 2, update 7"),
        ("INSERT OR IGNORE INTO t VALUES (8, 'y', 8)", "touched 7"),
        ("UPDATE t SET a = a, b = b", "update 3, update 4, update 7"),
        // No two NULLs are the same.
        ("REPLACE INTO t VALUES (9, NULL, 3)", "insert 9"),
      ])
  }

  @Test func aKeyWithACollationIsNamedAsItWas() throws {
    try expectLog(
      of: "CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, a)",
      [
        ("INSERT INTO t VALUES ('a', 1)", "insert 'a'"),
        ("REPLACE INTO t VALUES ('A', 2)", "touched 'a', insert 'A'"),
      ])
  }

  @Test func aRowIDThatIsNoColumnIsInTheWay() throws {
    try expectLog(
      of: "CREATE TABLE t (id TEXT PRIMARY KEY, rowid)",
      [
        ("INSERT INTO t (oid, id) VALUES (-1, 'a'), (5, 'b')", "insert 'a', insert 'b'"),
        ("REPLACE INTO t (_rowid_, id) VALUES (-1, 'c')", "touched 'a', insert 'c'"),
        ("UPDATE OR REPLACE t SET oid = 5 WHERE id = 'c'", "touched 'b', update 'c'"),
        ("UPDATE t SET rowid = 5", "update 'c'"),
      ])
  }

  @Test func aDefaultTakesThePlaceOfNull() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL DEFAULT '5' UNIQUE,
          b NOT NULL DEFAULT (abs(-2)) UNIQUE, c UNIQUE DEFAULT 7);
        INSERT INTO t (id) VALUES (1)
        """,
      [
        ("REPLACE INTO t VALUES (2, NULL, 3, NULL)", "touched 1, insert 2"),
        ("INSERT INTO t VALUES (3, 8, 2, 8)", "insert 3"),
        ("UPDATE OR REPLACE t SET a = NULL WHERE id = 3", "touched 2, update 3"),
        // Only SQLite can tell what the default is: any row may have gone.
        ("REPLACE INTO t VALUES (4, 9, NULL, 9)", "reset, insert 4"),
      ])
  }

  @Test func partialIndexesAndExpressionsAreAsked() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c, g AS (b * 2));
        CREATE UNIQUE INDEX one ON t (lower(a) /* , */ DESC) WHERE c = 1 -- the newest
        ;
        CREATE UNIQUE INDEX two ON t (g);
        INSERT INTO t VALUES (1, 'x', 1, 1), (2, 'x', 2, 0)
        """,
      [
        ("REPLACE INTO t VALUES (3, 'X', 3, 1)", "touched 1, insert 3"),
        ("REPLACE INTO t VALUES (4, 'y', 2, 1)", "touched 2, insert 4"),
        ("UPDATE OR REPLACE t SET b = 2 WHERE id = 3", "touched 4, update 3"),
        ("INSERT INTO t VALUES (5, 'x', 5, 0)", "touched 3, insert 5"),
        ("UPDATE OR REPLACE t SET c = 1 WHERE id = 5", "touched 3, update 5"),
      ])
  }

  @Test func columnsThatNothingChangesCountInGeneratedOnes() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, g AS (a || b) UNIQUE);
        INSERT INTO t VALUES (1, 'x', 'y'), (2, 'x', 'z')
        """,
      [
        ("UPDATE OR REPLACE t SET b = 'y' WHERE id = 2", "touched 1, update 2"),
        ("INSERT INTO t VALUES (2, 0, 0) ON CONFLICT DO UPDATE SET b = 'w'", "update 2"),
      ])
  }

  @Test func aKeyThatSQLiteConvertsIsNotFollowed() throws {
    let schema = """
      CREATE TABLE t (id TEXT PRIMARY KEY); CREATE TABLE u (id INTEGER PRIMARY KEY);
      CREATE TABLE "the child" (id INTEGER PRIMARY KEY, t INTEGER REFERENCES "T", u TEXT REFERENCES u);
      CREATE TABLE good (id TEXT PRIMARY KEY, up TEXT REFERENCES good (ID));
      """
    try expectUntracked("t", schema, because: "the child.t refers to t.id and has another type")
    for table in ["u", "the child", "good"] {
      guard case .tracked = try trackability(of: table, schema) else {
        Issue.record("\(table) is not tracked")
        continue
      }
    }
  }

  @Test func comparisonsInAnIndexMeanWhatTheyMeanThere() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
        CREATE UNIQUE INDEX one ON t (CASE WHEN a = '1' THEN b END);
        INSERT INTO t VALUES (1, 1, 'x')
        """,
      [
        ("REPLACE INTO t VALUES (2, '1', 'x')", "touched 1, insert 2"),
        ("REPLACE INTO t VALUES (3, 2, 'x')", "insert 3"),
        // Of a text in a column of integers it cannot be told.
        ("REPLACE INTO t VALUES (4, 'one', 'x')", "reset, insert 4"),
      ])
    try expectLog(
      of: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b);
        CREATE UNIQUE INDEX one ON t (a > b);
        INSERT INTO t VALUES (1, '2.5', 2)
        """,
      [
        ("REPLACE INTO t VALUES (2, '2.5', '2')", "touched 1, insert 2"),
        // In the index all text is above all numbers; beside NEW.a, 3 would be a text.
        ("REPLACE INTO t VALUES (3, '2.5', 3)", "reset, insert 3"),
      ])
  }

  // MARK: - What is not followed

  @Test func whatHasNoTriggersIsNotFollowed() throws {
    let schema = """
      CREATE TABLE plain (a); CREATE VIEW v AS SELECT a FROM plain;
      CREATE VIRTUAL TABLE words USING fts5(a);
      CREATE TABLE wide (a, b, c, d, e, PRIMARY KEY (a, b, c, d, e));
      CREATE TABLE "NEW" (id INTEGER PRIMARY KEY, a UNIQUE);
      CREATE TABLE counted (id INTEGER PRIMARY KEY); CREATE UNIQUE INDEX i ON counted (id % 10);
      """
    try expectUntracked("plain", schema, because: "no primary key")
    try expectUntracked("v", schema, because: "view")
    try expectUntracked("words", schema, because: "virtual table")
    try expectUntracked("words_data", schema, because: "inside of a virtual table")
    try expectUntracked("wide", schema, because: "5 columns")
    try expectUntracked("NEW", schema, because: "means another row")
    try expectUntracked("counted", schema, because: "the row id")
    try expectUntracked(
      "sectile_log", LogTables.creation.joined(separator: ";"), because: "Sectile itself")
  }

  @Test func anIndexThatOnlyTheOriginalCanComputeIsNotFollowed() throws {
    try Store.inMemory().write { transaction in
      transaction.db.add(
        function: .init("unheard", argumentCount: 1, pure: true) { $0[0] })
      try transaction.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE UNIQUE INDEX i ON t (unheard(a))")
      let schema = try #require(try TableSchema(of: "t", in: transaction))
      guard case .untracked(let reason) = try LogTriggers.of(schema, id: 1, in: transaction) else {
        Issue.record("t is tracked")
        return
      }
      #expect(reason.contains("unheard"))
    }
  }

  // MARK: - Names and other changes

  @Test(arguments: [
    "select", "a \"b", "it's", "Größe 日本", "[x]", "new", "OLD", "rowid", "sectile_log_1",
    "a\u{301}\"\u{301}",
  ])
  func namesOfAnyKindAreWritten(_ name: String) throws {
    let quoted = SQLName.quote(name)
    let isShadowing = ["new", "old"].contains(name.lowercased())
    let table = name.hasPrefix("sectile") ? "t" : name
    try expectLog(
      of: """
        CREATE TABLE \(SQLName.quote(table)) (id INTEGER PRIMARY KEY, \(quoted) TEXT
          \(isShadowing ? "" : "UNIQUE"), "the b");
        """, table: table,
      [
        ("INSERT INTO \(SQLName.quote(table)) VALUES (1, 'x', 1)", "insert 1"),
        (
          "REPLACE INTO \(SQLName.quote(table)) VALUES (2, 'x', 2)",
          isShadowing ? "insert 2" : "touched 1, insert 2"
        ),
        ("ALTER TABLE \(SQLName.quote(table)) DROP COLUMN \"the b\"", ""),
        ("DELETE FROM \(SQLName.quote(table)) WHERE id = 2", "delete 2"),
      ])
  }

  @Test func renamingIsFollowed() throws {
    try expectLog(
      of: """
        CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT UNIQUE, b, c);
        CREATE UNIQUE INDEX i ON t (lower(b)) WHERE b <> '';
        """,
      [
        ("ALTER TABLE t RENAME TO u", ""), ("ALTER TABLE u RENAME COLUMN id TO ident", ""),
        ("ALTER TABLE u RENAME COLUMN a TO \"the a\"", ""),
        ("ALTER TABLE u RENAME COLUMN b TO \"select\"", ""), ("ALTER TABLE u DROP COLUMN c", ""),
        ("INSERT INTO u VALUES ('k', 'x', 'y')", "insert 'k'"),
        ("REPLACE INTO u VALUES ('l', 'x', 'z')", "touched 'k', insert 'l'"),
        ("REPLACE INTO u VALUES ('m', 'w', 'Z')", "touched 'l', insert 'm'"),
        ("UPDATE u SET ident = 'n'", "delete 'm', update 'n'"),
      ])
  }

  @Test func triggersStandInTheSchemaAsTheyAreWritten() throws {
    try Store.inMemory().write { transaction in
      try transaction.execute(
        """
        CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, a UNIQUE, b NOT NULL DEFAULT 1 UNIQUE);
        CREATE UNIQUE INDEX i ON t (lower(a), b DESC) WHERE a > 'x';
        """)
      try transaction.installLog(on: "t")
      let triggers = try transaction.logTriggers(of: "t")
      let rows = try transaction.query(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
      #expect(rows.map(\.values) == triggers.map { [.text($0.name), .text($0.sql)] })
      #expect(triggers.count == 10)
    }
  }

  @Test func theNumbersOfAStatementAreUndisturbed() throws {
    try Store.inMemory().write { transaction in
      try transaction.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
      try transaction.installLog(on: "t")
      try transaction.execute("INSERT INTO t VALUES (70, 'x'), (80, 'y')")
      #expect(try transaction.lastInsertedRowID == 80)
      #expect(try transaction.changesCount == 2)
      try transaction.execute("REPLACE INTO t VALUES (90, 'y')")
      #expect(try transaction.lastInsertedRowID == 90)
      #expect(try transaction.changesCount == 1)
      try transaction.execute("UPDATE t SET a = a || '!'")
      #expect(try transaction.changesCount == 2)
      try transaction.execute("DELETE FROM t")
      #expect(try transaction.changesCount == 2)
      #expect(try transaction.lastInsertedRowID == 90)
    }
  }

  @Test func noGuardReadsAWholeTable() throws {
    try Store.inMemory().write { transaction in
      try transaction.execute(
        """
        CREATE TABLE t (id TEXT PRIMARY KEY COLLATE RTRIM, a TEXT COLLATE NOCASE UNIQUE, b INTEGER UNIQUE,
          c UNIQUE, d REAL NOT NULL DEFAULT 1 UNIQUE, e NUMERIC, g TEXT AS (lower(a)) UNIQUE);
        CREATE TABLE u (id COLLATE NOCASE PRIMARY KEY, a BLOB UNIQUE) WITHOUT ROWID;
        CREATE UNIQUE INDEX i ON t (e COLLATE NOCASE);
        """)
      try transaction.installLog(on: "t", "u")
      for table in ["t", "u"] {
        let codes = try transaction.query("EXPLAIN INSERT INTO \(table) DEFAULT VALUES")
          .map { $0.values[1] }
        // What a trigger does is in the list, too: nothing else asks for NEW.
        #expect(codes.contains("Param"))
        for reading in ["OpenEphemeral", "OpenAutoindex"] as [StoredValue] {
          #expect(!codes.contains(reading), "\(table)")
        }
      }
    }
  }

  @Test func guardsSearchTheIndex() throws {
    try Store.inMemory().write { transaction in
      try transaction.execute(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b, c);
        CREATE UNIQUE INDEX i ON t (a COLLATE RTRIM, lower(b)) WHERE c = 1;
        """)
      let schema = try #require(try TableSchema(of: "t", in: transaction))
      let index = try #require(try UniqueIndex.all(of: schema, in: transaction).first)
      let found = try #require(
        try LogGuard(
          of: index, on: schema, GeneratedColumns(of: schema, creation: nil), keepsValues: false))
      // A query has no NEW: a table of one row takes its place.
      try transaction.execute("CREATE TEMP TABLE source AS SELECT * FROM t")
      let plan = try transaction.query(
        "EXPLAIN QUERY PLAN SELECT 1 FROM source AS NEW WHERE EXISTS "
          + "(SELECT 1 FROM t WHERE \(found.condition))")
      let lines = plan.map { $0.values[3] }
      #expect(lines.contains(.text("SEARCH t USING INDEX i (a=? AND <expr>=?)")), "\(lines)")
    }
  }
}
