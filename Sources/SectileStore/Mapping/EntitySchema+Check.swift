package import GRDB
internal import SectileCore

extension EntitySchema {
  /// Compares the schema with the table of a database.
  ///
  /// - Throws: A ``StoreError`` with the code `schemaMismatch` if the table or a column is missing, or if
  ///   the table's primary key is another. A view has no primary key, so there the declared one is
  ///   taken at its word.
  package func check(against db: Database) throws(StoreError) {
    let found = try EntityTable(named: table, on: db)
    guard !found.columns.isEmpty else {
      throw StoreError(
        .schemaMismatch, message: "There is no table \(table), which \(E.self) is stored in.",
        hint: "Add a migration that creates it, or correct the table's name in the schema.")
    }
    let missing = columns.filter { !found.hasColumn($0) }
    guard missing.isEmpty else {
      throw StoreError(
        .schemaMismatch,
        message: "The table \(table) has no column \(missing.joined(separator: ", ")), "
          + "which \(E.self) declares.",
        hint: "Its columns are \(found.columns.joined(separator: ", ")). "
          + "Add a migration, or correct the schema.")
    }
    let declared = Set(primaryKey.map { $0.lowercased() })
    guard declared == Set(found.primaryKey.map { $0.lowercased() }) || found.isView else {
      let actual = found.primaryKey.joined(separator: ", ")
      throw StoreError(
        .schemaMismatch,
        message: "The primary key of \(table) is (\(actual)), "
          + "\(E.self) declares (\(primaryKey.joined(separator: ", "))).",
        hint: "Declare the table's own key: it is the identity of a row.")
    }
  }
}

/// What the database says about a table or view.
private struct EntityTable {
  /// The columns, generated and hidden ones included; none if there is no such table.
  private(set) var columns: [String] = []
  /// The columns of the primary key.
  private(set) var primaryKey: [String] = []
  /// Whether it is a view.
  private(set) var isView = false

  init(named name: String, on db: Database) throws(StoreError) {
    let info = try RawStatement.cached("SELECT name, pk FROM pragma_table_xinfo(?)", on: db)
    defer { info.finish() }
    try info.bind(.text(name), at: 1)
    while try info.step() {
      guard case .text(let column) = try info.columnValue(at: 0) else { continue }
      columns.append(column)
      if info.castInteger(at: 1) > 0 { primaryKey.append(column) }
    }
    guard primaryKey.isEmpty, !columns.isEmpty else { return }
    let kind = try RawStatement.cached(
      """
      SELECT 1 FROM (SELECT type, name FROM sqlite_schema UNION ALL
                     SELECT type, name FROM sqlite_temp_schema)
      WHERE type = 'view' AND name = ? COLLATE NOCASE
      """, on: db)
    defer { kind.finish() }
    try kind.bind(.text(name), at: 1)
    isView = try kind.step()
  }

  /// Whether there is a column of a name; SQLite compares names without regard to case.
  func hasColumn(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return columns.contains { $0.lowercased() == wanted }
  }
}
