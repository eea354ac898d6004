package import SectileCore

extension StoreReadTransaction {
  /// Runs one statement that the connection keeps prepared, and returns the values of all its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: As many values as there are `?` marks.
  /// - Returns: The rows, in SQLite's order.
  /// - Throws: ``StoreError``, as `query(_:_:)`.
  package func rows(
    prepared sql: String, _ values: [StoredValue] = []
  ) throws(StoreError) -> [[StoredValue]] {
    try checkActive()
    let statement = try RawStatement.cached(sql, on: db)
    defer { statement.finish() }
    try statement.bindAll(values)
    statementWillRun(statement)
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append(try statement.rowValues()) }
    return rows
  }
}
