import SectileCore

@testable import SectileStore

extension StoreTransaction {
  /// Creates the log's tables and the triggers of some tables, which get the numbers from 1 on.
  func installLog(on tables: String...) throws {
    for sql in LogTables.creation { try execute(sql) }
    for (number, table) in tables.enumerated() {
      for trigger in try logTriggers(of: table, id: Int64(number + 1)) { try execute(trigger.sql) }
    }
  }

  /// The triggers of a table; none where it is not tracked.
  func logTriggers(of table: String, id: Int64 = 1) throws -> [LogTrigger] {
    guard let schema = try TableSchema(of: table, in: self),
      case .tracked(_, let triggers) = try LogTriggers.of(schema, id: id, in: self)
    else { return [] }
    return triggers
  }

  /// What the log says about the first table, and forgets it: `insert 1, touched 'a'`.
  func takeLog() throws -> String {
    let rows = try query(
      "SELECT op, quote(k0), k1, quote(k1), typeof(salt) FROM sectile_log ORDER BY seq")
    try execute("DELETE FROM sectile_log")
    return rows.map { row in
      guard case .integer(let number) = row.values[0], case .text(let first) = row.values[1],
        case .text(let second) = row.values[3], row.values[4] == .text("integer")
      else { return "?" }
      let name = LogOperation(rawValue: number).map { "\($0)" } ?? "\(number)"
      return name + (first == "NULL" ? "" : " \(first)")
        + (row.values[2] == .null ? "" : "/\(second)")
    }.joined(separator: ", ")
  }
}
