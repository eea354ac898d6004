import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Indexes in an order that another release of the system has changed.
@Suite(.timeLimit(.minutes(60))) struct CollationVersionsTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE sectile_people_xx);
    CREATE TABLE word (name TEXT COLLATE sectile_people_xx PRIMARY KEY, n INTEGER) WITHOUT ROWID;
    INSERT INTO item (name) VALUES ('a'), ('b'), ('c'), ('d');
    INSERT INTO word VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4);
    """

  /// A store that knows one version of the order; those after the first are the other way round.
  private func open(
    _ folder: TemporaryFolder, version: Int, _ kind: StorageKind = .file,
    isReadOnly: Bool = false, migrations: Migrations = .none
  ) throws -> Store {
    var configuration = SmallWorld.configuration
    configuration.isReadOnly = isReadOnly
    configuration.collations = [
      TextCollation(
        name: "sectile_people_xx",
        compare: { left, right in
          let order = left == right ? 0 : left < right ? -1 : 1
          return version == 1 ? order : -order
        }, version: "\(version)")
    ]
    return try kind.open(in: folder, configuration: configuration, migrations: migrations)
  }

  private func texts(_ store: Store, _ sql: String) throws -> [StoredValue] {
    try store.read { try $0.query(sql) }.map { $0.values[0] }
  }

  private func versions(_ store: Store) throws -> [StoredValue] {
    let isThere = try texts(
      store, "SELECT 1 FROM sqlite_schema WHERE name = 'sectile_collation'")
    return isThere.isEmpty ? [] : try texts(store, "SELECT version FROM sectile_collation")
  }

  // Readers of an adopted pool are its owner's, who registers collations on them.
  @Test(arguments: [StorageKind.file, .adoptedQueue])
  func indexesInAnotherOrderAreBuiltAnew(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let migrations = Migrations.inline(["V0001_create_item.sql": Self.schema])
    let first = try open(folder, version: 1, kind, migrations: migrations)
    #expect(try versions(first) == ["1"])
    #expect(try texts(first, "SELECT name FROM item ORDER BY name") == ["a", "b", "c", "d"])
    try first.close()
    let second = try open(folder, version: 2, kind, migrations: migrations)
    #expect(try versions(second) == ["2"])
    #expect(try texts(second, "PRAGMA integrity_check") == ["ok"])
    #expect(try texts(second, "SELECT name FROM item ORDER BY name") == ["d", "c", "b", "a"])
    #expect(try texts(second, "SELECT id FROM item WHERE name = 'a'") == [1])
    #expect(try texts(second, "SELECT n FROM word WHERE name = 'd'") == [4])
    try second.close()
  }

  @Test func aFileThatIsOnlyReadIsRefused() throws {
    let folder = try TemporaryFolder()
    let first = try open(folder, version: 1)
    try first.write { try $0.execute(Self.schema) }
    try first.close()
    // Made after the store was opened: nobody has written down in which order.
    let error = try expectStoreError(.collationChanged) {
      try open(folder, version: 1, isReadOnly: true)
    }
    #expect(error.hint?.isEmpty == false)
    try open(folder, version: 1).close()
    let reader = try open(folder, version: 1, isReadOnly: true)
    #expect(try texts(reader, "SELECT name FROM item ORDER BY name") == ["a", "b", "c", "d"])
    try reader.close()
    try expectStoreError(.collationChanged) { try open(folder, version: 2, isReadOnly: true) }
  }

  @Test func anIndexThatWasMadeMeanwhileIsBuiltAnew() throws {
    let folder = try TemporaryFolder()
    let first = try open(folder, version: 1)
    try first.write {
      try $0.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO item (name) VALUES ('a'), ('b'), ('c');
        CREATE INDEX item_on_name ON item (name COLLATE "SECTILE_PEOPLE_XX") WHERE id > 1;
        """)
    }
    try first.close()
    let second = try open(folder, version: 2)
    #expect(try versions(second) == ["2"])
    #expect(try texts(second, "PRAGMA integrity_check") == ["ok"])
    // The next index is made in the order that is known by then.
    try second.write { try $0.execute("DROP INDEX item_on_name") }
    try second.close()
    let third = try open(folder, version: 3)
    #expect(try versions(third) == ["3"])
    try third.close()
  }

  @Test func filesWhoseSchemaUsesNoneAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    var configuration = SmallWorld.configuration
    configuration.collations = [.people]
    for _ in 0..<2 {
      let store = try StorageKind.file.open(in: folder, configuration: configuration)
      try store.write { try $0.execute("CREATE TABLE IF NOT EXISTS item (id, name TEXT)") }
      #expect(
        try texts(store, "SELECT name FROM item ORDER BY name COLLATE sectile_people") == [])
      #expect(try versions(store) == [])
      try store.close()
    }
  }

  @Test func aNameThatBeginsWithAnotherIsNotTheOther() throws {
    let folder = try TemporaryFolder()
    var configuration = SmallWorld.configuration
    configuration.collations = [
      TextCollation(
        name: "sectile_people_xx_yy",
        compare: { left, right in left == right ? 0 : left < right ? -1 : 1 }, version: "1")
    ]
    let first = try StorageKind.file.open(in: folder, configuration: configuration)
    try first.write {
      try $0.execute("CREATE TABLE item (name TEXT COLLATE sectile_people_xx_yy UNIQUE)")
    }
    try first.close()
    // This one could not build the index: it does not know its collation.
    let second = try open(folder, version: 1)
    #expect(try versions(second) == [])
    try second.close()
  }

  @Test func theTableIsSectilesOwn() {
    #expect(LogTables.isOwn("Sectile_Collation"))
    #expect(!LogTables.isOwn("sectile_collations"))
  }
}
