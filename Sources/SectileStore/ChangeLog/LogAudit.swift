internal import GRDB
internal import SectileCore

/// The tables of a file whose old values are kept beside its change log.
enum LogAudit {
  /// Whether a file has the tables for them.
  ///
  /// - Throws: What reading throws.
  static func isThere(in db: Database) throws -> Bool {
    let statement = try RawStatement.cached(
      """
      SELECT count(*) FROM main.sqlite_schema
      WHERE type = 'table' AND name IN ('sectile_log_audit', 'sectile_log_value')
      """, on: db)
    defer { statement.finish() }
    return try statement.step() && statement.castInteger(at: 0) == 2
  }

  /// The numbers of the tables, and of the rows of the log from which on their values are kept.
  ///
  /// - Throws: What reading throws.
  static func tables(in db: Database) throws -> [Int64: Int64] {
    guard try isThere(in: db) else { return [:] }
    var tables: [Int64: Int64] = [:]
    for row in try db.schemaRows("SELECT tbl, since FROM main.sectile_log_audit", []) {
      guard case .integer(let table) = row[0] else { continue }
      tables[table] = if case .integer(let since) = row[1] { since } else { 0 }
    }
    return tables
  }
}

extension LogInstaller {
  /// Begins to keep old values of tables, which are added to the log where it does not follow them.
  ///
  /// - Parameter names: The tables.
  /// - Returns: Whether something was changed.
  /// - Throws: `invalidRequest` for a table that cannot be followed, or whose values cannot be
  ///   kept, with the reason.
  func keepValues(of names: [String]) throws -> Bool {
    var hasChanged = try install(names)
    for statement in LogTables.valueCreation { try db.execute(sql: statement) }
    try db.execute(
      sql: "UPDATE main.sectile_log_state SET format = ?", arguments: [LogState.format])
    for schema in try schemas(of: names) {
      guard let table = try self.table(of: schema), table.valuesSince == nil else { continue }
      switch try LogTriggers.of(schema, id: table.id, keepsValues: true, in: db) {
      case .untracked(let reason):
        throw StoreError(
          .invalidRequest, message: "Old values of \(schema.name) cannot be kept: \(reason)",
          hint: "Leave the table out: its changes are logged by their keys.")
      case .tracked(_, let triggers): try replaceTriggers(of: table, by: triggers)
      }
      try noteValues(of: table.id, areKept: true)
      hasChanged = true
    }
    return hasChanged
  }

  /// Ends keeping old values of tables; those that were kept stay as long as their rows of the log.
  ///
  /// - Parameter names: The tables.
  /// - Returns: Whether there was such a table.
  /// - Throws: `invalidRequest` for what is no table.
  func stopKeepingValues(of names: [String]) throws -> Bool {
    try LogState.refuseNewer(in: db)
    guard try LogState.isReadable(in: db) else { return false }
    var hasChanged = try repair()
    for schema in try schemas(of: names) {
      guard let table = try self.table(of: schema), table.valuesSince != nil,
        case .tracked(_, let triggers) = try LogTriggers.of(schema, id: table.id, in: db)
      else { continue }
      try replaceTriggers(of: table, by: triggers)
      try noteValues(of: table.id, areKept: false)
      hasChanged = true
    }
    return hasChanged
  }

  /// Takes down whether values of a table are kept, from now on.
  func noteValues(of table: Int64, areKept: Bool) throws {
    if areKept {
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO main.sectile_log_audit (tbl, since)
          VALUES (?, (SELECT max(seq) FROM main.sectile_log))
          """, arguments: [table])
    } else {
      try db.execute(
        sql: "DELETE FROM main.sectile_log_audit WHERE tbl = ?", arguments: [table])
    }
  }

  /// Gives a table other triggers.
  ///
  /// In one transaction nothing is missed, so nobody need be told.
  private func replaceTriggers(of table: LoggedTable, by triggers: [LogTrigger]) throws {
    for found in try LogTrigger.inFile(db)
    where LogTrigger.tableNumber(ofTriggerNamed: found.trigger.name) == table.id {
      try drop(found.trigger)
    }
    try create(triggers)
    try db.execute(
      sql: "UPDATE main.sectile_log_table SET triggers = ? WHERE id = ?",
      arguments: [Self.digest(of: triggers), table.id])
    // What is written to the log tells others to look at the triggers.
    try LogOperation.note.append(in: db)
  }

  private func table(of schema: TableSchema) throws -> LoggedTable? {
    let name = schema.name.lowercased()
    return try LoggedTable.all(in: db).first { $0.name.lowercased() == name }
  }
}
