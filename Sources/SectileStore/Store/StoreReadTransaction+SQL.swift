internal import GRDB
internal import GRDBSQLite
public import SectileCore

extension StoreReadTransaction {
  /// Runs one statement and returns all its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: A value for each `?` mark, in order.
  /// - Returns: The rows, in SQLite's order.
  /// - Throws: ``StoreError``: what SQLite refuses, `readOnly` for a statement that writes in a
  ///   reading transaction for one; `valueCount`; `invalidText` for text that is not UTF-8, naming
  ///   column and row; `transactionEnded` for COMMIT and its like.
  public func query(
    _ sql: String, _ values: [StoredValue] = []
  ) throws(StoreError) -> [StoredRow] {
    try checkActive()
    do {
      let statement = try singleStatement(sql)
      var values = values[...]
      try statement.bind(&values)
      guard values.isEmpty else {
        throw StoreError.valueCount(sql: sql)
      }
      var rows: [StoredRow] = []
      let columns = statement.columnNames
      // GRDB's cursor steps, so that its observers hear of RETURNING; we read the columns.
      let cursor = try Row.fetchCursor(statement)
      while try cursor.next() != nil {
        let values = try columns.indices.map { column in
          try statement.storedValue(at: column, row: rows.count)
        }
        rows.append(StoredRow(columns: columns, values: values))
      }
      return rows
    } catch {
      throw .wrapping(error, file: file)
    }
  }

  private func singleStatement(_ sql: String) throws -> Statement {
    let statements = try db.allStatements(sql: sql)
    guard let statement = try statements.next() else {
      throw StoreError(
        .invalidSQL, message: "The SQL text holds no statement", hint: "The text is: \(sql)")
    }
    try refuseTransactionControl(statement.sql)
    guard try statements.next() == nil else {
      throw StoreError(
        .invalidSQL, message: "query takes one statement, and there are more: \(sql)",
        hint: "Run the others with execute.")
    }
    return statement
  }

  func refuseTransactionControl(_ sql: String) throws(StoreError) {
    switch TransactionKeyword(of: sql) {
    case .commit, .rollback:
      throw .transactionEnded(file: file)
    case .begin, nil:
      // SQLite itself refuses a BEGIN inside of a transaction.
      break
    }
  }
}
