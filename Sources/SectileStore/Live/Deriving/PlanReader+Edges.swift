import SectileCore

extension PlanReader {
  /// Returns the keys of the wanted rows next to a row in the complete order, whatever limit and
  /// offset are.
  ///
  /// - Parameters:
  ///   - side: Whether those before the row or behind it.
  ///   - key: The row's key.
  ///   - count: How many to read at most.
  /// - Returns: The keys, nearest first.
  /// - Throws: ``StaleContents`` where there is no such row; what reading throws.
  /// - Complexity: O(log *n* + `count`) where an index has the order, and no filter leaves rows
  ///   out.
  func keys(_ side: PlanSQL.Side, _ key: RowKey, count: Int) throws -> [RowKey] {
    let values = try withOrdering(of: key) { ordering in
      try ordering.map { column in
        guard let value = column.value else { throw StaleContents() }
        return value
      }
    }
    var keys: [RowKey] = []
    for sql in PlanSQL(queries.plan).selectKeys(side, values, count: count) {
      let statement = try RawStatement.cached(sql.sql, on: db)
      defer { statement.reset() }
      try statement.bindAll(sql.values)
      while keys.count < count, try statement.step() {
        keys.append(try statement.key(at: queries.plan.keyColumns.indices))
      }
      if keys.count == count { break }
    }
    return keys
  }
}
