import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

/// A file that another tool made, and a new one, come to the same schema and the same ledger.
@Suite(.timeLimit(.minutes(60))) struct BaselineTests {
  static let first = Migrations.File(
    name: "V0001_create_item.sql",
    sql: """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'Tool' COLLATE NOCASE,
        size INT CHECK (size > 0), twice INT AS (size * 2),
        shelf_id INTEGER REFERENCES shelf (id) ON DELETE CASCADE);
      """)
  static let second = Migrations.File(
    name: "V0002_index_item.sql",
    sql: """
      CREATE UNIQUE INDEX item_on_name ON item (name) WHERE size > 1;
      CREATE VIEW large AS SELECT * FROM item WHERE size > 100;
      CREATE TRIGGER item_guard BEFORE DELETE ON shelf BEGIN SELECT 1; END;
      """)
  static let third = Migrations.File(
    name: "V0003_add_note.sql", sql: "ALTER TABLE item ADD COLUMN note TEXT")
  static let files = [first, second, third]
  static let migrations = Migrations.files(files).baseline(through: 2)

  /// The tables as somebody else writes them, and the ledger of theirs.
  static let existing = [
    "CREATE TABLE _fluent_migrations (id BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    #"create table "Shelf"([id] integer primary key autoincrement, `name` text not null unique)"#,
    """
    CREATE TABLE "item"("id" INTEGER NOT NULL, "name" TEXT COLLATE nocase DEFAULT 'Tool' NOT NULL,
      "size" INT, "twice" INT GENERATED ALWAYS AS ("size" * 2) VIRTUAL, -- computed
      "shelf_id" INTEGER, CONSTRAINT "positive" CHECK ("size" > 0),
      PRIMARY KEY ("id"), FOREIGN KEY ("shelf_id") REFERENCES "shelf"("id") ON DELETE CASCADE)
    """,
    "CREATE UNIQUE INDEX item_on_name ON item (name) WHERE size > 1",
    "CREATE INDEX item_on_size ON item (size)",
    "CREATE VIEW large AS SELECT * FROM item WHERE size > 100",
    "CREATE TRIGGER item_guard BEFORE DELETE ON shelf BEGIN SELECT 1; END",
    "INSERT INTO item (name, size) VALUES ('saw', 3)",
  ]

  private func make(_ statements: [String], in store: Store) throws {
    try store.write { transaction in
      for sql in statements { try transaction.execute(sql) }
    }
  }

  private func names(_ store: Store) throws -> [StoredValue] {
    try store.read { transaction in
      try transaction.query("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        .map { $0.values[0] }
    }
  }

  private func ledger(_ store: Store) throws -> [String] {
    try Migrator(.none).status(of: store).applied.map { "\($0.name) \($0.checksum)" }
  }

  @Test(arguments: StorageKind.allCases)
  func existingFileAndNewOneComeToTheSameLedger(_ kind: StorageKind) throws {
    let expected = try withStore(kind, migrations: Self.migrations) { store in
      #expect(try Migrator(Self.migrations).apply(to: store) == [])
      return try ledger(store)
    }
    #expect(expected.count == 3)
    try withStore(kind) { store throws in
      try make(Self.existing, in: store)
      let migrator = Migrator(Self.migrations)
      #expect(try migrator.status(of: store).pending == Self.files.map(\.name))
      #expect(try migrator.apply(to: store) == [Self.third.name])
      #expect(try ledger(store) == expected)
      #expect(try store.read { try $0.query("SELECT name, note FROM item").count } == 1)
      // What others have stays, and so does their index.
      #expect(try names(store).contains("_fluent_migrations"))
      #expect(try names(store).contains("item_on_size"))
      #expect(try migrator.apply(to: store) == [])
      // Without the baseline, too, from now on.
      #expect(try Migrator(.files(Self.files)).apply(to: store) == [])
    }
  }

  @Test func fileThatHasNothingOfTheBaselineRunsAllFiles() throws {
    try withStore(.file) { store throws in
      try make([Self.existing[0]], in: store)
      let applied = try Migrator(Self.migrations).apply(to: store)
      #expect(applied == Self.files.map(\.name))
    }
  }

  @Test func withoutABaselineAnExistingFileIsRefused() throws {
    try withStore(.file) { store in
      try make(Self.existing, in: store)
      try expectStoreError(.migrationFailed) {
        try Migrator(.files(Self.files)).apply(to: store)
      }
    }
  }

  @Test(
    arguments: [
      ("DROP VIEW large", "view large is missing"),
      ("DROP TRIGGER item_guard", "trigger item_guard is missing"),
      ("DROP INDEX item_on_name", "index item_on_name is missing"),
      (
        "DROP VIEW large; CREATE VIEW large AS SELECT * FROM item WHERE size > 99",
        "view large has another definition"
      ),
      (
        "ALTER TABLE item ADD COLUMN more TEXT",
        "table item has columns (id, name, size, twice, shelf_id, more) instead of "
          + "(id, name, size, twice, shelf_id)"
      ),
      ("DROP VIEW large; DROP TABLE item", "table item is missing"),
    ])
  func differenceIsNamedAndNothingIsStored(_ change: String, _ difference: String) throws {
    try withStore(.file) { store in
      try make(Self.existing + [change], in: store)
      let before = try names(store)
      let error = try expectStoreError(.migrationBaseline) {
        try Migrator(Self.migrations).apply(to: store)
      }
      #expect(
        error.message.hasPrefix("the schema is not that of V0002_index_item.sql: "), "\(error)")
      #expect(error.message.contains(difference), "\(error)")
      #expect(error.hint?.contains(".schema") == true)
      #expect(try names(store) == before)
    }
  }

  @Test(
    arguments: [
      ("id INTEGER PRIMARY KEY, size BIGINT", "column size (BIGINT) instead of (INT)"),
      ("id INTEGER PRIMARY KEY, size INT NOT NULL", "column size (INT NOT NULL)"),
      ("id INTEGER PRIMARY KEY, size INT DEFAULT 1", "column size (INT DEFAULT 1)"),
      ("id INTEGER PRIMARY KEY, size INT COLLATE RTRIM", "column size (INT COLLATE rtrim)"),
      ("id INTEGER PRIMARY KEY, size INT AS (id)", "conditions (AS ( ID )) instead of (none)"),
      ("id INTEGER PRIMARY KEY, size INT AS (id) STORED", "column size (INT STORED)"),
      ("id INTEGER PRIMARY KEY, size INT CHECK (size > 0)", "conditions (CHECK ( SIZE > 0 ))"),
      ("id INTEGER PRIMARY KEY, size INT UNIQUE", "unique keys (UNIQUE size binary)"),
      ("id INTEGER PRIMARY KEY, size INT REFERENCES item", "foreign keys (size REFERENCES item"),
      ("id INTEGER PRIMARY KEY AUTOINCREMENT, size INT", "options (AUTOINCREMENT)"),
      (
        "id INTEGER, size INT PRIMARY KEY", "column id (INTEGER) instead of (INTEGER PRIMARY KEY 1)"
      ),
      ("size INT, id INTEGER PRIMARY KEY", "columns (size, id) instead of (id, size)"),
    ])
  func tablesAreComparedPieceByPiece(_ columns: String, _ difference: String) throws {
    let file = Migrations.File(
      name: "V0001_create_item.sql",
      sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, size INT)")
    try withStore(.memory) { store in
      try make(["CREATE TABLE item (\(columns))"], in: store)
      let error = try expectStoreError(.migrationBaseline) {
        try Migrator(.files([file]).baseline(through: 1)).apply(to: store)
      }
      #expect(error.message.contains(difference), "\(error)")
    }
  }

  @Test(arguments: ["STRICT", "WITHOUT ROWID"])
  func optionsOfTablesAreCompared(_ option: String) throws {
    let table = "CREATE TABLE item (id INT PRIMARY KEY NOT NULL)"
    let migrations = Migrations.inline(["V0001_create_item.sql": table]).baseline(through: 1)
    try withStore(.memory) { store in
      try make(["\(table) \(option)"], in: store)
      let error = try expectStoreError(.migrationBaseline) {
        try Migrator(migrations).apply(to: store)
      }
      #expect(error.message.contains("options (\(option)) instead of (none)"), "\(error)")
    }
  }

  @Test func manyDifferencesAreCounted() throws {
    let files = (1...9).map { "CREATE TABLE table\($0) (id INTEGER PRIMARY KEY)" }
    let migrations = Migrations.inline([
      "V0001_create_tables.sql": files.joined(separator: ";")
    ]).baseline(through: 1)
    try withStore(.memory) { store in
      try make([files[0]], in: store)
      let error = try expectStoreError(.migrationBaseline) {
        try Migrator(migrations).apply(to: store)
      }
      #expect(error.message.hasSuffix("table table6 is missing; and 3 more differences"))
    }
  }

  @Test func versionsThatCannotBeReachedAreRefused() throws {
    try withStore(.file) { store in
      try make(Self.existing, in: store)
      let before = try names(store)
      let unknown = try expectStoreError(.migrationTarget) {
        try Migrator(.files(Self.files).baseline(through: 7)).apply(to: store)
      }
      #expect(unknown.message == "no migration has version 7")
      let behind = try expectStoreError(.migrationTarget) {
        try Migrator(Self.migrations).apply(to: store, through: 1)
      }
      #expect(behind.message.contains("version 1 lies behind"))
      #expect(try names(store) == before)
      #expect(try Migrator(Self.migrations).apply(to: store, through: 2) == [])
      #expect(try ledger(store).count == 2)
    }
  }

  @Test func ledgerWithRowsHasNoUseForABaseline() throws {
    try withStore(.file, migrations: .files([Self.first])) { store in
      try make(["DROP TABLE item"], in: store)
      // The second file is run, and fails; it is not compared.
      try expectStoreError(.migrationFailed) { try Migrator(Self.migrations).apply(to: store) }
    }
  }

  @Test func fileOfTheBaselineThatFailsIsNamed() throws {
    let migrations = Migrations.inline(["V0001_create_item.sql": "CREATE TABLE item (id; x"])
      .baseline(through: 1)
    try withStore(.memory) { store in
      let error = try expectStoreError(.migrationFailed) {
        try Migrator(migrations).apply(to: store)
      }
      #expect(error.message.hasPrefix("V0001_create_item.sql, statement 1"))
      #expect(try names(store) == [])
    }
  }

  @Test func fileOfTheBaselineThatAttachesIsRefused() throws {
    let folder = try TemporaryFolder()
    let other = folder.file("other.sqlite")
    let sql = "CREATE TABLE item (id); ATTACH '\(other)' AS other; CREATE TABLE other.item (id)"
    let migrations = Migrations.inline(["V0001_create_item.sql": sql]).baseline(through: 1)
    try withStore(.memory) { store in
      let error = try expectStoreError(.migrationFailed) {
        try Migrator(migrations).apply(to: store)
      }
      #expect(error.message.hasPrefix("V0001_create_item.sql, statement 2"))
      #expect(try names(store) == [])
    }
  }

  @Test func collationsOfTheStoreAreKnown() throws {
    var configuration = StoreConfiguration()
    configuration.collations = [
      TextCollation("reversed") { one, other in one == other ? 0 : one > other ? -1 : 1 }
    ]
    let sql = "CREATE TABLE item (name TEXT PRIMARY KEY COLLATE reversed)"
    let seed = "; INSERT INTO item VALUES ('a'), ('b')"
    try withStore(.memory, configuration: configuration) { store throws in
      try make([sql], in: store)
      let migrations = Migrations.inline(["V0001_create_item.sql": sql + seed])
      #expect(try Migrator(migrations.baseline(through: 1)).apply(to: store) == [])
      #expect(try ledger(store).count == 1)
      // Rows of the files are not looked for.
      #expect(try store.read { try $0.query("SELECT * FROM item").count } == 0)
    }
  }

  @Test func openersTakeAnExistingFileOverOnce() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    do {
      let store = try await Store.open(at: path)
      try make(Self.existing, in: store)
      try await store.close()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try Store.open(at: path, migrations: Self.migrations).close() }
      }
      try await group.waitForAll()
    }
    let store = try await Store.open(at: path)
    #expect(try ledger(store).count == 3)
    try await store.close()
  }
}
