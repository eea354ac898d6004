/// The statements by which triggers of one table write to the change log.
struct LogEntry {
  /// The number of the table.
  let table: Int64
  /// The columns of its key.
  let keys: [String]

  /// The name of a trigger.
  func name(_ what: String) -> String { "\(LogTables.log)_\(table)_\(what)" }

  /// Writes down one row, by its values in NEW or OLD.
  func insertion(_ operation: LogOperation, of row: String) -> String {
    "\(into(keys.count)) VALUES (\(values(operation, keys.map { SQLName.of(row, $0) })))"
  }

  /// Writes down the rows that a query finds.
  ///
  /// - Parameters:
  ///   - operation: What is said about them.
  ///   - table: Where they are.
  ///   - condition: Which they are.
  /// - Returns: The statement.
  func insertion(
    _ operation: LogOperation, ofRowsIn table: String, where condition: String
  ) -> String {
    let keys = keys.map { SQLName.quote(table, $0) }
    return "\(into(keys.count)) SELECT \(values(operation, keys)) FROM \(SQLName.quote(table))"
      + " WHERE \(condition)"
  }

  /// Writes down that any row may have changed.
  func reset(where condition: String) -> String {
    "\(into(0)) SELECT \(values(.reset, [])) WHERE \(condition)"
  }

  private func into(_ count: Int) -> String {
    let columns = ["tbl", "op"] + LogTables.keyColumns.prefix(count) + ["salt"]
    return "INSERT INTO \(LogTables.log) (\(columns.joined(separator: ", ")))"
  }

  private func values(_ operation: LogOperation, _ keys: [String]) -> String {
    (["\(table)", "\(operation.rawValue)"] + keys + ["random()"]).joined(separator: ", ")
  }
}
