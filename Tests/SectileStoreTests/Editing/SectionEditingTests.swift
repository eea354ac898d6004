import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows that are moved and inserted into sections whose column has a collation, is part of the key,
/// or is generated; and how many rows these may have.
@Suite(.timeLimit(.minutes(60))) struct SectionEditingTests {
  private typealias Results = SectionedResults<UntypedRow>

  private static let rows = """
    INSERT INTO item (id, s, p, v) VALUES
      (1, 'A', 1, ''), (2, 'a', 2, ''), (3, 'B', 3, ''), (4, 'b', 4, '');
    """

  private static func plan(keyColumns: [String] = ["id"]) -> FetchPlan {
    var plan = FetchPlan(
      table: "item", keyColumns: keyColumns, itemColumns: ["id", "s", "p", "v"])
    plan.section = FetchPlan.Section(identity: plan.term("s"))
    plan.sort = [plan.term("p")]
    plan.orderColumn = "p"
    return plan
  }

  private static func item(_ id: StoredValue, _ section: StoredValue) -> UntypedRow {
    UntypedRow(
      id: UntypedRow.ID(keyValues: [id]),
      row: StoredRow(columns: ["id", "s", "p", "v"], values: [id, section, 0, ""]))
  }

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  /// The ids of the rows of each section.
  private func ids(_ results: Results) throws -> [[StoredValue]] {
    try results.snapshot.materialized().sections.map { section in
      section.rows.compactMap { $0.item.row["id"] }
    }
  }

  private func id(_ number: Int64) -> UntypedRow.ID {
    UntypedRow.ID(keyValues: [.integer(number)])
  }

  // MARK: - Collations

  /// The column declares it, the request says nothing of it.
  @Test func aSectionOfAnyCaseTakesRows() throws {
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE, p INTEGER, v TEXT);"
      + Self.rows
    try SmallWorld.run(.memory, schema: schema) { store in
      let live = try LiveResults(Self.plan(), in: store)
      let results = live.results
      #expect(try ids(results) == [[1, 2], [3, 4]])
      try results.move(from: path(0, 1), to: path(0, 0))
      #expect(try ids(results) == [[2, 1], [3, 4]])
      try results.move(from: path(0, 0), to: path(1, 1))
      #expect(try ids(results) == [[1], [3, 2, 4]])
      try results.insert(Self.item(5, "other"), at: path(0, 0))
      #expect(try ids(results) == [[5, 1], [3, 2, 4]])
      try results.move(id: id(4), before: id(1))
      #expect(try ids(results) == [[5, 4, 1], [3, 2]])
      try live.check()
    }
  }

  @Test func rowsOfAnyCaseCountInASection() throws {
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE, p INTEGER, v TEXT);"
      + Self.rows
    try SmallWorld.run(.memory, schema: schema) { store in
      let results = try store.results(
        of: Self.plan(), sectionLimit: { section, _ in section == .text("b") ? 2 : nil })
      try results.load()
      try expectStoreError(.sectionFull) {
        try results.move(from: path(0, 0), to: path(1, 0))
      }
      #expect(try ids(results) == [[1, 2], [3, 4]])
      // Another spelling is no other section.
      try results.replace(at: path(1, 0), with: Self.item(3, "b"))
      #expect(try ids(results) == [[1, 2], [3, 4]])
    }
  }

  /// How many rows a section may have is a column of another table, read when the row is written.
  @Test func aLimitIsReadInTheTransaction() throws {
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE, p INTEGER, v TEXT);"
      + "CREATE TABLE lane (name TEXT PRIMARY KEY COLLATE NOCASE, most INTEGER);"
      + "INSERT INTO lane VALUES ('A', NULL), ('B', 2);" + Self.rows
    try SmallWorld.run(.memory, schema: schema) { store in
      let results = try store.results(
        of: Self.plan(),
        sectionLimit: { section, transaction in
          let lanes = try transaction.query(
            "SELECT most FROM lane WHERE name = ?", values: [section])
          guard case .integer(let most)? = lanes.first?.values[0] else { return nil }
          return Int(most)
        })
      try results.load()
      try expectStoreError(.sectionFull) {
        try results.move(from: path(0, 0), to: path(1, 0))
      }
      #expect(try ids(results) == [[1, 2], [3, 4]])
      try store.write { try $0.execute("UPDATE lane SET most = 3 WHERE name = 'B'") }
      let undos = try results.undoably { try $0.move(from: path(0, 0), to: path(1, 0)) }
      #expect(try ids(results) == [[2], [1, 3, 4]])
      try expectStoreError(.sectionFull) { try results.move(id: id(2), before: id(1)) }
      // Nobody knows how many rows there may be.
      try store.write { try $0.execute("DROP TABLE lane") }
      #expect(throws: StoreError.self) { try results.move(id: id(2), before: id(1)) }
      #expect(try ids(results) == [[2], [1, 3, 4]])
      #expect(undos.count == 1)
    }
  }

  /// Under a collation that SQLite cannot fold, two texts that are equal are two sections.
  @Test func sectionsUnderASwiftCollationCountTheirOwnRows() throws {
    let collation = TextCollation("BY_LENGTH") { left, right in left.utf8.count - right.utf8.count }
    var configuration = SmallWorld.configuration
    configuration.collations = [collation]
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, p INTEGER, v TEXT);" + Self.rows
    try SmallWorld.run(.memory, schema: schema, configuration: configuration) { store in
      try store.write { try $0.execute("UPDATE item SET s = upper(s)") }
      var plan = Self.plan()
      plan.section = FetchPlan.Section(identity: plan.term("s", collation: collation))
      let results = try store.results(of: plan, sectionLimit: { _, _ in 3 })
      try results.load()
      #expect(try ids(results) == [[1, 2], [3, 4]])
      try results.replace(at: path(0, 0), with: Self.item(1, "B"))
      #expect(try ids(results) == [[2], [1, 3, 4]])
      try expectStoreError(.sectionFull) {
        try results.replace(at: path(0, 0), with: Self.item(2, "B"))
      }
      #expect(try ids(results) == [[2], [1, 3, 4]])
    }
  }

  // MARK: - Keys

  private static let composite = """
    CREATE TABLE item (
      s TEXT NOT NULL, id INTEGER NOT NULL, p INTEGER, v TEXT, PRIMARY KEY (s, id)) WITHOUT ROWID;
    INSERT INTO item (id, s, p, v) VALUES
      (1, 'A', 1, ''), (2, 'A', 2, ''), (3, 'B', 3, ''), (4, 'B', 4, '');
    """

  /// A row that goes into another section gets another key.
  @Test func aSectionThatIsPartOfTheKeyHasItsLimit() throws {
    try SmallWorld.run(.memory, schema: Self.composite) { store in
      let results = try store.results(
        of: Self.plan(keyColumns: ["s", "id"]),
        sectionLimit: { section, _ in section == .text("B") ? 2 : nil })
      try results.load()
      try expectStoreError(.sectionFull) {
        try results.move(from: path(0, 0), to: path(1, 0))
      }
      let new = UntypedRow(
        id: UntypedRow.ID(keyValues: ["A", 5]), row: Self.item(5, "A").row)
      try expectStoreError(.sectionFull) { try results.insert(new, at: path(1, 0)) }
      #expect(try ids(results) == [[1, 2], [3, 4]])
      try results.move(from: path(1, 0), to: path(0, 1))
      #expect(try ids(results) == [[1, 3, 2], [4]])
      try results.insert(new, at: path(1, 0))
      #expect(try ids(results) == [[1, 3, 2], [5, 4]])
    }
  }

  @Test func anEmptySectionThatIsPartOfTheKeyTakesARow() throws {
    try SmallWorld.run(.memory, schema: Self.composite) { store in
      let results = try store.results(of: Self.plan(keyColumns: ["s", "id"]))
      try results.load()
      try results.take(
        MovedItem(source: results, name: .path(path(0, 0))), to: .emptySection(.text("C")))
      #expect(try ids(results) == [[2], [3, 4], [1]])
    }
  }

  /// What SQLite gives an id counts like any other row.
  @Test func aRowWithoutIDIsNotLetIntoAFullSection() throws {
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, p INTEGER, v TEXT);" + Self.rows
    try SmallWorld.run(.memory, schema: schema) { store in
      try store.write { try $0.execute("UPDATE item SET s = upper(s)") }
      let results = try store.results(
        of: Self.plan(), sectionLimit: { section, _ in section == .text("B") ? 2 : nil })
      try results.load()
      try expectStoreError(.sectionFull) {
        try results.insert(Self.item(.null, ""), at: path(1, 0))
      }
      try results.insert(Self.item(.null, ""), at: path(0, 0))
      #expect(try ids(results) == [[5, 1, 2], [3, 4]])
    }
  }

  // MARK: - Generated columns

  @Test func rowsAreMovedInsideOfASectionThatIsGenerated() throws {
    let schema = """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, s TEXT AS (substr('AABB', id, 1)) STORED, p INTEGER, v TEXT);
      INSERT INTO item (id, p, v) VALUES (1, 1, ''), (2, 2, ''), (3, 3, ''), (4, 4, '');
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      let live = try LiveResults(Self.plan(), in: store)
      let results = live.results
      #expect(try ids(results) == [[1, 2], [3, 4]])
      try results.move(id: id(2), before: id(1))
      #expect(try ids(results) == [[2, 1], [3, 4]])
      try results.move(from: path(1, 0), to: path(1, 1))
      #expect(try ids(results) == [[2, 1], [4, 3]])
      try expectStoreError(.notEditable) { try results.move(id: id(2), before: id(3)) }
      try expectStoreError(.notEditable) {
        try results.move(from: path(0, 0), to: path(1, 0))
      }
      #expect(try ids(results) == [[2, 1], [4, 3]])
      try live.check()
    }
  }
}
