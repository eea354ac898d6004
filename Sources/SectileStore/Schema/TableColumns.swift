package import GRDB
internal import GRDBSQLite
internal import SectileCore

/// What the schema says about the columns of one table.
package struct TableColumns: Sendable {
  /// A column.
  package struct Column: Hashable, Sendable {
    /// The name, as the table declares it.
    package let name: String
    /// How text in it compares where nothing else is said.
    package let collation: TextCollation
    /// Whether it may hold NULL.
    package let isNullable: Bool
    /// Whether it is the row id.
    package let isRowID: Bool

    /// What EXPLAIN QUERY PLAN may call it where an index is searched.
    ///
    /// The row id goes by its own name where an index lists it, and not where it is implied.
    var searchNames: [String] { isRowID ? ["rowid", name] : [name] }
  }

  private let columns: [String: Column]

  /// Returns a column; nil if there is none of the name.
  ///
  /// The row id is a column under each of its three names.
  package func column(named name: String) -> Column? { columns[name.lowercased()] }

  /// Reads the schema; nil for a view, a virtual table, and where there is no such table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - db: The database.
  /// - Throws: What reading throws.
  package init?(of table: String, in db: Database) throws(StoreError) {
    guard let hasRowID = try Self.hasRowID(table, in: db) else { return nil }
    var columns: [String: Column] = [:]
    let info = try RawStatement.cached(
      """
      SELECT name, pk > 0 AND NOT EXISTS
        (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
      FROM pragma_table_xinfo(?1)
      """, on: db)
    defer { info.finish() }
    try info.bind(.text(table), at: 1)
    while try info.step() {
      guard case .text(let name) = try info.columnValue(at: 0) else { continue }
      // A primary key without an index of its own is the row id.
      let isRowID = hasRowID && info.castInteger(at: 1) != 0
      let (collation, isNotNull) = Self.metadata(of: table, name, in: db)
      columns[name.lowercased()] = Column(
        name: name, collation: collation, isNullable: !isNotNull && !isRowID, isRowID: isRowID)
    }
    if hasRowID {
      for name in ["rowid", "oid", "_rowid_"] where columns[name] == nil {
        columns[name] = Column(name: name, collation: .binary, isNullable: false, isRowID: true)
      }
    }
    self.columns = columns
  }

  /// Whether a table has row ids; nil for what is no ordinary table.
  private static func hasRowID(_ table: String, in db: Database) throws(StoreError) -> Bool? {
    let kind = try kind(of: table, in: db)
    guard kind?.name == "table" || kind?.name == "shadow" else { return nil }
    return kind?.hasRowID
  }

  /// What a name stands for, in SQLite's words: `table`, `view`, `virtual`, `shadow`.
  ///
  /// Nil where there is nothing of that name.
  static func kind(
    of table: String, in db: Database
  ) throws(StoreError) -> (name: String, hasRowID: Bool)? {
    // SQLite looks for a name in the temporary database first.
    let kind = try RawStatement.cached(
      """
      SELECT type, wr FROM pragma_table_list WHERE name = ? COLLATE NOCASE
      ORDER BY schema = 'temp' DESC, schema = 'main' DESC
      """, on: db)
    defer { kind.finish() }
    try kind.bind(.text(table), at: 1)
    guard try kind.step(), case .text(let name) = try kind.columnValue(at: 0) else { return nil }
    return (name, hasRowID: kind.castInteger(at: 1) == 0)
  }

  private static func metadata(
    of table: String, _ column: String, in db: Database
  ) -> (TextCollation, isNotNull: Bool) {
    var collation: UnsafePointer<CChar>?
    var isNotNull: CInt = 0
    let code = sqlite3_table_column_metadata(
      db.sqliteConnection, nil, table, column, nil, &collation, &isNotNull, nil, nil)
    guard code == SQLITE_OK, let collation else { return (.binary, false) }
    let name = String(cString: collation)
    let known: [TextCollation] = [.binary, .nocase, .rtrim]
    let declared = TextCollation(named: name)
    return (known.first { $0.name == declared.name.uppercased() } ?? declared, isNotNull != 0)
  }
}
