package import SectileCore

extension StoreReadTransaction: SchemaSource {
  /// SQLite's own connection.
  package var schemaConnection: OpaquePointer? { db.schemaConnection }

  /// Runs a query about the schema and returns its rows.
  ///
  /// - Throws: ``StoreError`` where SQLite refuses the query, or the transaction has ended.
  package func schemaRows(
    _ sql: String, _ values: [StoredValue]
  ) throws(StoreError) -> [[StoredValue]] {
    try checkActive()
    return try db.schemaRows(sql, values)
  }
}
