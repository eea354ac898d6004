package import GRDB
internal import SectileCore

extension EntitySchema {
  /// Compares the schema with the table of a database.
  ///
  /// - Throws: A ``StoreError`` with the code `schemaMismatch` if the table or a column is missing, or if
  ///   the table's primary key is another. A view has no primary key, so there the declared one is
  ///   taken at its word.
  package func check(against db: Database) throws(StoreError) {
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
      let actual = found.keyColumns.joined(separator: ", ")
      throw StoreError(
        .schemaMismatch,
        message: "The primary key of \(table) is (\(actual)), "
          + "\(E.self) declares (\(primaryKey.joined(separator: ", "))).",
        hint: "Declare the table's own key: it is the identity of a row.")
    }
  }
}
