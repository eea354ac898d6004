package import SectileCore

extension InspectionConnection: SchemaSource {
  /// SQLite's own connection.
  package var schemaConnection: OpaquePointer? { connection }

  /// Runs a query about the schema and returns its rows.
  ///
  /// - Throws: ``StoreError`` where SQLite refuses the query.
  package func schemaRows(
    _ sql: String, _ values: [StoredValue]
  ) throws(StoreError) -> [[StoredValue]] {
    let statement = try prepare(sql)
    try statement.start(values)
    var rows: [[StoredValue]] = []
    while let row = try statement.next() { rows.append(row) }
    return rows
  }
}
