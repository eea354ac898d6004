internal import GRDB
package import SectileCore

extension StorableValue {
  /// Creates a value from a stored one that stands in no table: it is read as a column that holds
  /// it.
  ///
  /// - Parameters:
  ///   - stored: The stored value.
  ///   - form: The form of the column that it comes from.
  /// - Returns: The value; nil where the stored one is not of this type.
  package static func decoded(_ stored: StoredValue, in form: ColumnEncoding) -> Self? {
    // A type says how it is read from a column, and in no other way.
    try? StoredValueColumn.connection?.inDatabase { db in
      let statement = try RawStatement.cached("SELECT ?", on: db)
      defer { statement.reset() }
      try statement.bindAll([stored])
      guard try statement.step() else { return nil }
      return try Self(stored: StoredColumn(statement: statement.handle, index: 0, form: form))
    }
  }
}

/// Where values are read that stand in no table.
private enum StoredValueColumn {
  /// A connection without a file; nil where there is no memory for one.
  static let connection = try? DatabaseQueue()
}
