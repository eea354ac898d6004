import GRDB
import SectileCore

extension ResultsEdit {
  /// Writes the numbers of a place, and its section's value, to a row.
  func move(
    _ key: RowKey, to place: RowPlace, _ table: TableSchema, in transaction: StoreTransaction
  ) throws {
    let db = transaction.db
    let values = try RowPlacing(plan, table, in: db).values(at: place)
    let rows = try RowStatements(of: plan, table, in: db)
    try placeRow(key, as: plan.key(key, with: values), in: transaction) {
      try rows.set(values, of: key, in: db)
    }
  }

  /// Writes to a row what makes it one of these results, at a place.
  ///
  /// - Parameters:
  ///   - key: The row.
  ///   - place: Where it goes.
  ///   - isOwn: Whether the results show it already. The values that the filter wants in columns
  ///     are written to others alone: somebody may have changed them here meanwhile.
  ///   - section: The section that it must be in afterwards; nil for any.
  ///   - table: The table.
  ///   - transaction: The transaction.
  /// - Throws: `notEditable` where the request does not want the row then, or shows it in another
  ///   section; what moving throws.
  func take(
    _ key: RowKey, to place: RowPlace, isOwn: Bool, in section: StoredValue?,
    _ table: TableSchema, in transaction: StoreTransaction
  ) throws {
    let db = transaction.db
    var values = try RowPlacing(plan, table, in: db).values(at: place)
    if !isOwn {
      let known = Set(values.map { $0.column.lowercased() })
      values += try plan.valuesOfFilter(in: table, db).filter {
        !known.contains($0.column.lowercased())
      }
    }
    let rows = try RowStatements(of: plan, table, in: db)
    let latter = plan.key(key, with: values)
    try placeRow(key, as: latter, in: transaction) { try rows.set(values, of: key, in: db) }
    let found = try SectionMembership(plan, in: db).section(of: latter)
    guard found == nil || (section != nil && found != section) else { return }
    throw StoreError.notShownThere(table: plan.table, key: key)
  }

  /// Checks that a row that was put into a section is in no other.
  ///
  /// - Throws: `notEditable` where it is.
  func requireSection(_ section: StoredValue, of key: RowKey, in db: Database) throws {
    guard let found = try SectionMembership(plan, in: db).section(of: key), found != section
    else { return }
    throw StoreError.notShownThere(table: plan.table, key: key)
  }
}

extension StoreError {
  fileprivate static func notShownThere(table: String, key: RowKey) -> StoreError {
    StoreError(
      .notEditable,
      message: "The row would not be shown where it is put: the request for \(table) wants"
        + " more of it than values of columns.",
      hint: "Write a row that the request wants there.", rowKey: key.values)
  }
}

extension FetchPlan {
  /// Returns the key that a row has once some columns have other values: the section may be part of
  /// it.
  func key(_ key: RowKey, with values: [RowPlacing.ColumnValue]) -> RowKey {
    var parts = key.values
    for (index, column) in keyColumns.enumerated() where index < parts.count {
      let name = column.lowercased()
      if let value = values.last(where: { $0.column.lowercased() == name }) {
        parts[index] = value.value
      }
    }
    return RowKey(parts)
  }

  /// Returns the values that the filter wants in columns that can be written: of `listID = 7 AND
  /// text <> ''` the 7.
  ///
  /// Columns of the key are left out: another key is another row.
  fileprivate func valuesOfFilter(
    in table: TableSchema, _ db: Database
  ) throws -> [RowPlacing.ColumnValue] {
    guard let columns = try TableColumns(of: self.table, in: db) else { return [] }
    let keys = Set(keyColumns.map { $0.lowercased() })
    let writable = Set(
      table.columns.filter { $0.origin == .written }.map { $0.name.lowercased() })
    return try filterEqualities(in: columns).compactMap { equality -> RowPlacing.ColumnValue? in
      let name = equality.column.name
      guard !equality.column.isRowID, !keys.contains(name.lowercased()),
        writable.contains(name.lowercased())
      else { return nil }
      return try equality.value(in: db).map {
        RowPlacing.ColumnValue(column: name, value: $0)
      }
    }
  }
}

extension FilterEquality {
  /// Returns the value that the condition compares the column with.
  fileprivate func value(in db: Database) throws -> StoredValue? {
    if let value = condition.values.first { return value }
    let tokens = SQLToken.tokens(of: condition.sql) ?? []
    guard
      let literal = tokens.last(where: { $0.token.isValue || $0.token == .word("NULL") })?.text
    else { return nil }
    let statement = try RawStatement.cached("SELECT \(literal)", on: db)
    defer { statement.finish() }
    return try statement.step() ? statement.columnValue(at: 0) : nil
  }
}
