internal import GRDB
public import SectileCore

extension StoreReadTransaction {
  /// Runs one statement and returns all its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: A value for each `?` mark, in order.
  /// - Returns: The rows, in SQLite's order.
  /// - Throws: ``StoreError``: what SQLite refuses, `readOnly` for a statement that writes in a
  ///   reading transaction for one; `valueCount`; `decodingFailed` for text that is not UTF-8,
  ///   naming column and row; `transactionEnded` for COMMIT and its like.
  public func query(
    _ sql: String, _ values: any StorableValue...
  ) throws(StoreError) -> [StoredRow] {
    try query(sql, values: storedValues(values, sql: sql))
  }

  /// Runs one statement with stored values, and returns all its rows.
  ///
  /// See ``query(_:_:)`` for more information.
  public func query(
    _ sql: String, values: [StoredValue]
  ) throws(StoreError) -> [StoredRow] {
    try checkActive()
    do {
      let statement = try singleStatement(sql)
      statement.setUncheckedArguments([])
      let raw = RawStatement(statement)
      try raw.bindAll(values)
      statementWillRun(raw)
      var rows: [StoredRow] = []
      var columns: [String] = []
      // GRDB's cursor steps, so that its observers hear of RETURNING; we read the columns.
      let cursor = try Row.fetchCursor(statement)
      while try cursor.next() != nil {
        // With the first row: the first step compiles the statement anew where others have changed
        // the schema.
        if rows.isEmpty { columns = (0..<raw.columnCount).map(raw.columnName) }
        rows.append(StoredRow(columns: columns, values: try raw.rowValues()))
      }
      return rows
    } catch {
      throw .wrapping(error, file: file)
    }
  }

  private func singleStatement(_ sql: String) throws -> Statement {
    try RawStatement.refuseZeroByte(sql)
    let statements = try db.allStatements(sql: sql)
    guard let statement = try statements.next() else {
      throw StoreError(
        .statementFailed, message: "The SQL text holds no statement", hint: "The text is: \(sql)")
    }
    try refuseTransactionControl(statement.sql)
    guard try statements.next() == nil else {
      throw StoreError(
        .statementFailed, message: "query takes one statement, and there are more: \(sql)",
        hint: "Run the others with execute.")
    }
    return statement
  }

  func storedValues(
    _ values: [any StorableValue], sql: String
  ) throws(StoreError) -> [StoredValue] {
    var stored: [StoredValue] = []
    for (position, value) in values.enumerated() {
      do throws(ColumnValueError) {
        stored.append(try value.storedValue)
      } catch {
        throw StoreError(
          .encodingFailed, message: "Value \(position + 1): \(error.reason), in: \(sql)",
          hint: "Give a value that SQLite can hold.")
      }
    }
    return stored
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
