internal import GRDB

extension Database {
  /// Returns how many row ids there are from a table's first row to its last.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - column: A name of its row id.
  /// - Returns: The number; nil where no integer holds it.
  /// - Throws: ``StoreError`` where there is no such table or column.
  /// - Complexity: O(log *n*): each end is sought.
  func rowIDSpan(of table: String, column: String) throws(StoreError) -> Int? {
    let (table, id) = (SQLName.table(table), SQLName.quote(column))
    let statement = try RawStatement.cached(
      "SELECT (SELECT max(\(id)) FROM \(table)), (SELECT min(\(id)) FROM \(table))", on: self)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let (span, overflow) = statement.castInteger(at: 0)
      .subtractingReportingOverflow(statement.castInteger(at: 1))
    return overflow || span == .max ? nil : Int(span) + 1
  }
}
