/// The statements by which triggers of one table write to the change log.
struct LogEntry {
  /// The number of the table.
  let table: Int64
  /// The columns of its key.
  let keys: [String]
  /// What keeps the values of its columns; nil where they are not kept.
  let values: LogValues?

  /// The name of a trigger.
  func name(_ what: String) -> String { "\(LogTables.log)_\(table)_\(what)" }

  /// Writes down one row, by its values in NEW or OLD.
  func insertions(_ operation: LogOperation, of row: String) -> [String] {
    let insertion =
      "\(into(keys.count)) VALUES (\(list(operation, keys.map { SQLName.of(row, $0) })))"
    return [insertion] + (values?.insertions(operation, of: row) ?? [])
  }

  /// Writes down the row that a query finds, if it finds one.
  ///
  /// - Parameters:
  ///   - operation: What is said about it.
  ///   - table: Where it is.
  ///   - condition: Which one it is; no two rows of the table fulfil it.
  /// - Returns: The statements.
  func insertions(
    _ operation: LogOperation, ofRowIn table: String, where condition: String
  ) -> [String] {
    let keys = keys.map { SQLName.quote(table, $0) }
    let insertion =
      "\(into(keys.count)) SELECT \(list(operation, keys)) FROM \(SQLName.quote(table))"
      + " WHERE \(condition)"
    return [insertion] + (values?.insertions(ofRowIn: table, where: condition) ?? [])
  }

  /// Writes down that any row may have changed.
  func reset(where condition: String) -> String {
    "\(into(0)) SELECT \(list(.reset, [])) WHERE \(condition)"
  }

  private func into(_ count: Int) -> String {
    let columns = ["tbl", "op"] + LogTables.keyColumns.prefix(count) + ["salt"]
    return "INSERT INTO \(LogTables.log) (\(columns.joined(separator: ", ")))"
  }

  private func list(_ operation: LogOperation, _ keys: [String]) -> String {
    (["\(table)", "\(operation.rawValue)"] + keys + ["random()"]).joined(separator: ", ")
  }
}
