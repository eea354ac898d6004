import Foundation
import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

@Suite(.timeLimit(.minutes(60))) struct MigratorTests {
  static let first = Migrations.File(
    name: "V0001_create_item.sql", sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);")
  static let second = Migrations.File(
    name: "V0002_add_size.sql",
    sql: "ALTER TABLE item ADD COLUMN size INT; INSERT INTO item (name, size) VALUES ('a', 1);")
  static let third = Migrations.File(
    name: "V0003_create_tag.sql", sql: "CREATE TABLE tag (name TEXT PRIMARY KEY);")

  private func file(_ name: String, _ sql: String) -> Migrations.File {
    Migrations.File(name: name, sql: sql)
  }

  private func tables(_ store: Store) throws -> [StoredValue] {
    try store.read { transaction in
      try transaction.query(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
      ).map { $0.values[0] }
    }
  }

  private func ledger(_ store: Store) throws -> [StoredValue] {
    try store.read { transaction in
      try transaction.query("SELECT name FROM sectile_migration ORDER BY version").map {
        $0.values[0]
      }
    }
  }

  /// Applies files that are refused, and checks that nothing changed.
  @discardableResult
  private func expectRefusal(
    _ code: StoreError.Code, of files: [Migrations.File], in store: Store, naming part: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StoreError {
    let before = (try tables(store), try? ledger(store))
    let error = try expectStoreError(code, sourceLocation: sourceLocation) {
      try Migrator(.files(files)).apply(to: store)
    }
    #expect(error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
    #expect(error.hint != nil, sourceLocation: sourceLocation)
    #expect(try tables(store) == before.0, sourceLocation: sourceLocation)
    #expect((try? ledger(store)) == before.1, sourceLocation: sourceLocation)
    return error
  }

  @Test(arguments: StorageKind.allCases)
  func openAppliesAllFilesToANewDatabase(_ kind: StorageKind) throws {
    try withStore(kind, migrations: .files([Self.second, Self.third, Self.first])) { store in
      #expect(try tables(store) == ["item", "sectile_migration", "tag"])
      #expect(try ledger(store).count == 3)
      let status = try Migrator(.files([Self.first, Self.second, Self.third])).status(of: store)
      #expect(status.applied.map(\.version) == [1, 2, 3])
      #expect(status.applied.map(\.name) == [Self.first.name, Self.second.name, Self.third.name])
      #expect(status.pending == [])
      #expect(status.problems.isEmpty)
      let row = try #require(status.applied.first)
      #expect(row.checksum.count == 64)
      #expect(row.appliedAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func applyingAgainDoesNothing(_ kind: StorageKind) throws {
    try withStore(kind) { store throws in
      let migrator = Migrator(.files([Self.first, Self.second]))
      #expect(try migrator.status(of: store).pending == [Self.first.name, Self.second.name])
      #expect(try migrator.apply(to: store) == [Self.first.name, Self.second.name])
      #expect(try migrator.apply(to: store) == [])
      #expect(try store.read { try $0.query("SELECT * FROM item").count } == 1)
    }
  }

  @Test func noneLeavesTheDatabaseAlone() throws {
    try withStore(.memory) { store throws in
      #expect(try Migrator(.none).apply(to: store) == [])
      #expect(try tables(store) == [])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func invalidSQLLeavesNothingOfItsFileAndTheNextRunContinues(_ kind: StorageKind) throws {
    let broken = file(
      Self.second.name,
      "CREATE TABLE half (id); INSERT INTO half VALUES (1); INSERT INTO missing VALUES (1);")
    try withStore(kind) { store in
      let error = try expectStoreError(.migrationFailed) {
        try Migrator(.files([Self.first, broken, Self.third])).apply(to: store)
      }
      #expect(error.message.hasPrefix("V0002_add_size.sql, statement 3: "))
      #expect(error.message.contains("missing"))
      #expect(
        (error.cause as? StoreError.SQLiteFailure)?.sql?.contains("INSERT INTO missing") == true)
      #expect(try tables(store) == ["item", "sectile_migration"])
      #expect(try ledger(store) == [.text(Self.first.name)])
      let applied = try Migrator(.files([Self.first, Self.second, Self.third])).apply(to: store)
      #expect(applied == [Self.second.name, Self.third.name])
    }
  }

  @Test(arguments: ["SELEC 1", "INSERT INTO item (name) VALUES (?)", "VACUUM"])
  func otherFailuresNameTheFileToo(_ sql: String) throws {
    try withStore(.file, migrations: .files([Self.first])) { store in
      try expectRefusal(
        .migrationFailed, of: [Self.first, file("V0002_break_all.sql", sql)], in: store,
        naming: "V0002_break_all.sql, statement 1")
    }
  }

  @Test func aFileThatCreatesWhatIsThereIsToldOtherwise() throws {
    try withStore(.memory) { store in
      try store.write { try $0.execute("CREATE TABLE item (id)") }
      let error = try expectStoreError(.migrationFailed) {
        try Migrator(.files([Self.first])).apply(to: store)
      }
      #expect(error.hint?.contains("IF NOT EXISTS") == true)
    }
  }

  @Test func editedFileIsRefused() throws {
    try withStore(.file, migrations: .files([Self.first, Self.second])) { store in
      let edited = file(Self.first.name, "CREATE TABLE item (id INTEGER PRIMARY KEY);")
      try expectRefusal(
        .migrationChanged, of: [edited, Self.second, Self.third], in: store,
        naming: "V0001_create_item.sql was edited")
    }
  }

  @Test func renamedFileIsRefused() throws {
    try withStore(.file, migrations: .files([Self.first])) { store in
      let renamed = Migrations.File(name: "V0001_create_items.sql", bytes: Self.first.bytes)
      try expectRefusal(
        .migrationChanged, of: [renamed], in: store, naming: "V0001_create_items.sql")
    }
  }

  @Test func missingFileIsRefused() throws {
    try withStore(.file, migrations: .files([Self.first, Self.second])) { store in
      try expectRefusal(
        .migrationMissing, of: [Self.second, Self.third], in: store,
        naming: "V0001_create_item.sql")
    }
  }

  @Test func fileThatCameTooLateIsRefused() throws {
    try withStore(.file, migrations: .files([Self.first, Self.third])) { store in
      try expectRefusal(
        .migrationOutOfOrder, of: [Self.first, Self.second, Self.third], in: store,
        naming: "V0002_add_size.sql is new, but V0003_create_tag.sql")
    }
  }

  @Test(arguments: [[first], []])
  func ledgerNewerThanTheProgramIsRefused(_ files: [Migrations.File]) throws {
    try withStore(.file, migrations: .files([Self.first, Self.second])) { store in
      try expectRefusal(
        .migrationNewer, of: files, in: store, naming: "V000")
    }
  }

  @Test func statusListsEveryProblem() throws {
    try withStore(.file, migrations: .files([Self.first, Self.third])) { store in
      let edited = file(Self.first.name, "SELECT 1")
      let status = try Migrator(.files([edited, Self.second])).status(of: store)
      #expect(
        status.problems.map(\.code) == [.migrationChanged, .migrationNewer, .migrationOutOfOrder])
      #expect(status.pending == [Self.second.name])
    }
  }

  @Test(arguments: [
    "BEGIN; CREATE TABLE a (b); COMMIT;", "CREATE TABLE a (b); COMMIT; CREATE TABLE c (d);",
    // SQLite takes a byte order mark for a space, and a vertical tab behind a space.
    "CREATE TABLE a (b); \u{FEFF}COMMIT; CREATE TABLE c (d);",
    "CREATE TABLE a (b); \u{B}COMMIT; CREATE TABLE c (d);",
    "CREATE TABLE a (b); ROLLBACK", "CREATE TABLE a (b); -- now\n END;",
  ])
  func fileThatControlsTheTransactionIsRefused(_ sql: String) throws {
    try withStore(.file, migrations: .files([Self.first])) { store in
      try expectRefusal(
        .migrationTransaction, of: [Self.first, file("V0002_create_a.sql", sql)], in: store,
        naming: "V0002_create_a.sql begins or ends a transaction")
    }
  }

  @Test func statementThatRollsBackIsRefused() throws {
    let sql =
      "CREATE TABLE a (b PRIMARY KEY); INSERT INTO a VALUES (1);"
      + "INSERT OR ROLLBACK INTO a VALUES (1);"
    try withStore(.file, migrations: .files([Self.first])) { store in
      try expectRefusal(
        .migrationFailed, of: [Self.first, file("V0002_create_a.sql", sql)], in: store,
        naming: "V0002_create_a.sql, statement 3")
    }
  }

  @Test func savepointsAndTriggersAreFine() throws {
    let sql = """
      SAVEPOINT a; CREATE TABLE a (b); ROLLBACK TO a; RELEASE a;
      CREATE TABLE c (d);
      CREATE TRIGGER e AFTER INSERT ON c BEGIN SELECT 1; END;
      """
    try withStore(.file, migrations: .files([file("V0001_create_c.sql", sql)])) { store throws in
      #expect(try tables(store) == ["c", "sectile_migration"])
    }
  }

  static let family = Migrations.File(
    name: "V0001_create_family.sql",
    sql: """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (10, 1);
      """)

  @Test(arguments: StorageKind.allCases)
  func orphansAreRefusedNamingTableRowAndParent(_ kind: StorageKind) throws {
    try withStore(kind, migrations: .files([Self.family])) { store in
      try expectRefusal(
        .migrationForeignKeys,
        of: [Self.family, file("V0002_delete_parents.sql", "DELETE FROM parent")], in: store,
        naming: "V0002_delete_parents.sql: 1 row of table child without a parent in parent")
      #expect(try store.read { try $0.query("SELECT * FROM parent").count } == 1)
    }
  }

  @Test func manyOrphansAreCounted() throws {
    let sql = """
      INSERT INTO child (parent_id) VALUES (2), (3), (4), (5), (6), (7), (8);
      """
    try withStore(.memory, migrations: .files([Self.family])) { store in
      try expectRefusal(
        .migrationForeignKeys, of: [Self.family, file("V0002_add_children.sql", sql)],
        in: store, naming: "7 rows of table child without a parent in parent")
    }
  }

  @Test func foreignKeyToNothingUniqueIsRefused() throws {
    let sql = """
      CREATE TABLE a (b); CREATE TABLE c (d REFERENCES a (b)); INSERT INTO c VALUES (1);
      """
    try withStore(.memory) { store in
      let error = try expectStoreError(.migrationFailed) {
        try Migrator(.inline(["V0001_create_a.sql": sql])).apply(to: store)
      }
      #expect(error.message.contains("foreign key mismatch"))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func tableWithChildrenCanBeRebuilt(_ kind: StorageKind) throws {
    let rebuild = file(
      "V0002_rebuild_parent.sql",
      """
      CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '');
      INSERT INTO new_parent (id) SELECT id FROM parent;
      DROP TABLE parent;
      ALTER TABLE new_parent RENAME TO parent;
      """)
    try withStore(kind, migrations: .files([Self.family])) { store in
      try Migrator(.files([Self.family, rebuild])).apply(to: store)
      #expect(try store.read { try $0.query("SELECT * FROM child").count } == 1)
      // Foreign keys are enforced again.
      try expectStoreError(.foreignKeyConstraint) {
        try store.write { try $0.execute("INSERT INTO child (parent_id) VALUES (9)") }
      }
    }
  }

  @Test func foreignKeysTurnedOffAreNotChecked() throws {
    var configuration = StoreConfiguration()
    configuration.enforcesForeignKeys = false
    let orphan = file("V0002_add_orphan.sql", "INSERT INTO child VALUES (11, 99)")
    try withStore(
      .memory, configuration: configuration, migrations: .files([Self.family, orphan])
    ) { store throws in
      #expect(try store.read { try $0.query("SELECT * FROM child").count } == 2)
      #expect(try store.read { try $0.query("PRAGMA foreign_keys").first?.values } == [0])
    }
  }

  @Test func readOnlyStoreRefusesPendingFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    try Store.open(at: path, migrations: .files([Self.first])).close()
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let store = try Store.open(
      at: path, configuration: configuration, migrations: .files([Self.first]))
    try expectRefusal(
      .migrationPending, of: [Self.first, Self.second], in: store, naming: "V0002_add_size.sql")
    try expectStoreError(.migrationPending) {
      try Store.open(
        at: path, configuration: configuration, migrations: .files([Self.first, Self.second]))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aVersionIsTheLastToBeApplied(_ kind: StorageKind) throws {
    let migrator = Migrator(.files([Self.first, Self.second, Self.third]))
    try withStore(kind) { store throws in
      #expect(try migrator.apply(to: store, through: 2) == [Self.first.name, Self.second.name])
      #expect(try tables(store) == ["item", "sectile_migration"])
      #expect(try migrator.apply(to: store, through: 2) == [])
      #expect(try migrator.status(of: store).pending == [Self.third.name])
      #expect(try migrator.apply(to: store, through: 3) == [Self.third.name])
    }
  }

  @Test func aVersionThatCannotBeReachedIsRefused() throws {
    let files = [Self.first, Self.second, Self.third]
    try withStore(.file) { store throws in
      let migrator = Migrator(.files(files))
      let unknown = try expectStoreError(.migrationTarget) {
        try migrator.apply(to: store, through: 4)
      }
      #expect(unknown.message == "no migration has version 4")
      #expect(unknown.hint == "The newest is V0003_create_tag.sql.")
      #expect(try tables(store) == [])
      try migrator.apply(to: store, through: 2)
      let behind = try expectStoreError(.migrationTarget) {
        try migrator.apply(to: store, through: 1)
      }
      #expect(behind.message.hasPrefix("version 1 lies behind: V0002_add_size.sql was applied at"))
      #expect(behind.hint?.contains("No migration runs backwards") == true)
      #expect(try ledger(store).count == 2)
      let none = try expectStoreError(.migrationTarget) {
        try Migrator(.files([])).apply(to: Store.inMemory(), through: 1)
      }
      #expect(none.hint == "There are no migrations.")
    }
  }

  @Test func statusTellsOfEachMigrationInOrder() throws {
    try withStore(.file, migrations: .files([Self.first, Self.third])) { store throws in
      let fourth = file("V0004_add_note.sql", "ALTER TABLE item ADD COLUMN note TEXT")
      let edited = file(Self.first.name, "CREATE TABLE item (id INTEGER PRIMARY KEY)")
      let status = try Migrator(.files([edited, Self.second, fourth])).status(of: store)
      #expect(
        status.entries.map(\.name) == [
          Self.first.name, Self.second.name, Self.third.name, fourth.name,
        ])
      #expect(status.entries.map { $0.appliedAt != nil } == [true, false, true, false])
      #expect(
        status.entries.map { $0.problem?.code } == [
          .migrationChanged, .migrationOutOfOrder, .migrationMissing, nil,
        ])
      #expect(status.problems.count == 3)
    }
  }

  @Test func fullDiskIsNotTheFilesFault() throws {
    try withStore(.file, migrations: .files([Self.first])) { store in
      try store.databaseWriter.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try db.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
      }
      let large = file(
        "V0002_fill_item.sql", "INSERT INTO item (name) VALUES (hex(zeroblob(1000000)))")
      try expectRefusal(
        .diskFull, of: [Self.first, large], in: store, naming: "store.sqlite")
    }
  }

  @Test func ledgerChangedByHandIsAnError() throws {
    try withStore(.file) { store in
      try store.write { transaction in
        try transaction.execute(
          """
          CREATE TABLE sectile_migration (version INTEGER PRIMARY KEY, name, checksum, applied_at);
          INSERT INTO sectile_migration VALUES (1, NULL, 1, 2);
          """)
      }
      try expectStoreError(.decodingFailed) {
        try Migrator(.files([Self.first])).apply(to: store)
      }
    }
  }

  @Test func observerIsToldToRefetch() throws {
    let log = CommitLog()
    try withStore(.file, migrations: .files([Self.first]), readBy: [log]) { store in
      #expect(log.lines.contains("unknown") && log.lines.last == "deliver")
      log.clear()
      let broken = file("V0002_break_all.sql", "SELEC")
      _ = try? Migrator(.files([Self.first, broken])).apply(to: store)
      #expect(Set(log.lines) == ["rolledBack", "deliver"] && log.lines.last == "deliver")
    }
  }

  @Test func concurrentOpenersApplyEachFileOnce() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let files = (1...5).map { number in
      file("V000\(number)_create_table.sql", "CREATE TABLE table\(number) (id)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try Store.open(at: path, migrations: .files(files)).close() }
      }
      try await group.waitForAll()
    }
    let store = try await Store.open(at: path, migrations: .files(files))
    let count = try await store.read { try $0.query("SELECT * FROM sectile_migration").count }
    #expect(count == 5)
  }

  @Test func folderIsApplied() throws {
    let folder = try TemporaryFolder()
    for migration in [Self.first, Self.second] {
      try folder.write(migration.bytes, to: migration.name)
    }
    let store = try Store.inMemory(migrations: .folder(folder.path))
    #expect(try tables(store) == ["item", "sectile_migration"])
  }
}
