package import GRDB
internal import SectileCore

extension EntitySchema {
  /// Compares the schema with the table of a database.
  ///
  /// - Returns: The table.
  /// - Throws: A ``StoreError`` with the code `schemaMismatch` if the table or a column is missing,
  ///   or if the table's primary key is another. A view has no primary key, so there the declared
  ///   one is taken at its word.
  @discardableResult
  package func check(against db: Database) throws(StoreError) -> TableSchema {
    guard let found = try TableSchema(of: table, in: db) else {
      throw StoreError(
        .schemaMismatch, message: "There is no table \(table), which \(E.self) is stored in.",
        hint: "Add a migration that creates it, or correct the table's name in the schema.")
    }
    // SQLite compares names without regard to case.
    let known = Set(found.columns.map { $0.name.lowercased() })
    let missing = columns.filter { !known.contains($0.lowercased()) }
    guard missing.isEmpty else {
      throw StoreError(
        .schemaMismatch,
        message: "The table \(table) has no column \(missing.joined(separator: ", ")), "
          + "which \(E.self) declares.",
        hint: "Its columns are \(found.columns.map(\.name).joined(separator: ", ")). "
          + "Add a migration, or correct the schema.")
    }
    let declared = Set(primaryKey.map { $0.lowercased() })
    guard declared == Set(found.keyColumns.map { $0.lowercased() }) || found.kind == .view else {
      throw keyMismatch(found)
    }
    return found
  }

  /// Checks that the table declares the key: as its primary key, or as that of a unique index.
  ///
  /// What is no table of the file is taken at its word: views and virtual tables declare no keys.
  ///
  /// - Throws: A ``StoreError`` with the code `schemaMismatch`, which names the key that is
  ///   declared.
  package func checkKey(against db: Database) throws(StoreError) {
    guard let found = try TableSchema(of: table, in: db), found.kind.isStored else { return }
    // SQLite compares names without regard to case.
    let declared = Set(primaryKey.map { $0.lowercased() })
    if declared == Set(found.keyColumns.map { $0.lowercased() }) { return }
    if declared.count == 1, !declared.isDisjoint(with: found.rowIDNames) { return }
    for index in try UniqueIndex.all(of: found, in: db) where index.condition == nil {
      let columns = index.terms.map { term in
        if case .column(let column) = term.value { column.name.lowercased() } else { "" }
      }
      if Set(columns) == declared { return }
    }
    throw keyMismatch(found)
  }

  private func keyMismatch(_ found: TableSchema) -> StoreError {
    let key = found.keyColumns.joined(separator: ", ")
    let actual =
      key.isEmpty
      ? "The table \(table) declares no primary key" : "The primary key of \(table) is (\(key))"
    return StoreError(
      .schemaMismatch,
      message: "\(actual), \(E.self) declares (\(primaryKey.joined(separator: ", "))).",
      hint: key.isEmpty
        ? "Declare the columns PRIMARY KEY or UNIQUE in a migration: they are the identity of a row."
        : "Declare the table's own key: it is the identity of a row.")
  }
}

/// What is declared for a table, and may not fit it.
protocol TableFitting: Sendable {
  /// Checks that the table has all that is named, and returns the table.
  @discardableResult
  func check(against db: Database) throws(StoreError) -> TableSchema
  /// Checks that the table declares the key.
  func checkKey(against db: Database) throws(StoreError)
}

extension EntitySchema: TableFitting {}
