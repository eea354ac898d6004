internal import GRDB
internal import SectileCore

/// A table whose changes are logged.
package struct LoggedTable: Hashable, Sendable {
  /// Its number in the log.
  package let id: Int64
  /// Its name now; the log follows a table that is renamed.
  package let name: String
  /// The columns of its primary key, as far as the log has them.
  package let keys: [String]
  /// Whether the triggers are there that the table needs as it is now.
  ///
  /// They are not where somebody has rebuilt or renamed the table, or has added a unique index.
  package let isIntact: Bool
  /// The number of the row from which on its changes are known.
  package let since: Int64
  /// The number of the row from which on its old values are kept; nil where they are not.
  package let valuesSince: Int64?

  /// Reads the tables that a log names, and compares their triggers with those they need.
  ///
  /// - Throws: What reading the schema throws.
  /// - Complexity: O(*n*) in the tables and their unique indexes; what a table needs is tried out
  ///   for some.
  static func all(in db: Database) throws -> [LoggedTable] {
    let rows = try db.schemaRows(
      "SELECT id, name, since FROM main.sectile_log_table ORDER BY id", [])
    let triggers = Dictionary(grouping: try LogTrigger.inFile(db)) {
      LogTrigger.tableNumber(ofTriggerNamed: $0.trigger.name)
    }
    let audited = try LogAudit.tables(in: db)
    return try rows.compactMap { row in
      guard case .integer(let id) = row[0] else { return nil }
      let since = if case .integer(let since) = row[2] { since } else { Int64(0) }
      let found = triggers[id] ?? []
      let name = found.first?.table ?? row[1].schemaText
      guard let schema = try TableSchema(of: name, in: db),
        case (.tracked(let keys, let wanted), let keepsValues) = try LogTriggers.needed(
          by: schema, id: id, wantsValues: audited[id] != nil, in: db)
      else {
        return LoggedTable(
          id: id, name: name, keys: [], isIntact: false, since: since, valuesSince: nil)
      }
      return LoggedTable(
        id: id, name: schema.name, keys: keys,
        isIntact: Set(found.map(\.trigger)) == Set(wanted) && row[1].schemaText == schema.name,
        since: since, valuesSince: keepsValues ? audited[id] : nil)
    }
  }

  /// Where columns stand among those by which the log names rows.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - keys: The columns of the log.
  /// - Returns: A position for each column; nil where the log lacks one of them, or there are none.
  static func positions(of columns: [String], in keys: [String]) -> [Int]? {
    let names = keys.map { $0.lowercased() }
    let positions = columns.compactMap { names.firstIndex(of: $0.lowercased()) }
    return columns.isEmpty || positions.count != columns.count ? nil : positions
  }
}

extension LogTrigger {
  /// The triggers of the log that a file has, and their tables.
  ///
  /// - Throws: What reading the schema throws.
  static func inFile(_ db: Database) throws -> [(trigger: LogTrigger, table: String)] {
    try db.schemaRows(
      """
      SELECT name, sql, tbl_name FROM main.sqlite_schema
      WHERE type = 'trigger' AND name LIKE 'sectile\\_log\\_%' ESCAPE '\\'
      """, []
    ).map { row in
      (LogTrigger(name: row[0].schemaText, sql: row[1].schemaText), row[2].schemaText)
    }
  }

  /// The number in the name of a trigger: `sectile_log_<number>_<what>`.
  package static func tableNumber(ofTriggerNamed name: String) -> Int64? {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    return parts.count > 3 ? Int64(parts[2]) : nil
  }
}
