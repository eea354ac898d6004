internal import GRDB
package import SectileCore

extension StoreTransaction {
  /// Runs one statement that the connection keeps prepared, for programs that run few different
  /// ones often.
  ///
  /// - Parameters:
  ///   - sql: One statement, which returns no rows.
  ///   - values: As many values as there are `?` marks.
  /// - Returns: How many rows it changed, without cascades and triggers.
  /// - Throws: ``StoreError``, as `execute(_:values:)`.
  @discardableResult
  package func run(prepared sql: String, _ values: [StoredValue] = []) throws(StoreError) -> Int {
    try checkActive()
    let statement = try RawStatement.cached(sql, on: db)
    try statement.bindAll(values)
    statementWillRun(statement)
    try statement.run()
    return db.changesCount
  }
}
