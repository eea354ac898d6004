internal import Foundation
internal import GRDB
internal import SectileCore

/// Switches the change log of a file on and off, and keeps its triggers as the schema wants them.
///
/// All of it belongs inside one transaction: what is written between two of them would be logged by
/// nobody.
struct LogInstaller {
  let db: Database

  /// - Parameter db: The writing connection, inside a transaction.
  init(in db: Database) { self.db = db }

  // MARK: On and off

  /// Switches the log on, or adds tables to it.
  ///
  /// - Parameter names: The tables to follow; nil for all that can be followed, those to come
  ///   included.
  /// - Returns: Whether something was changed.
  /// - Throws: `invalidRequest` for a named table that cannot be followed, with the reason.
  func install(_ names: [String]?) throws -> Bool {
    try LogState.refuseNewer(in: db)
    let isNew = try !LogState.isReadable(in: db)
    if isNew { try createTables(followingAll: names == nil) }
    guard let state = try LogState(in: db) else { throw StoreError.noChangeLog(file: nil) }
    if names == nil, !state.followsAllTables {
      try db.execute(sql: "UPDATE main.sectile_log_state SET all_tables = 1")
    }
    var hasChanged = isNew || (names == nil && !state.followsAllTables)
    for table in try names.map(schemas) ?? TableSchema.all(in: db) {
      if try add(table, to: state, isNew: isNew, isWanted: names != nil) { hasChanged = true }
    }
    return try repair() || hasChanged
  }

  /// Removes all that ``install(_:)`` has put into the file.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: What writing throws.
  func remove() throws -> Bool {
    guard try LogState.isThere(in: db) else { return false }
    for found in try LogTrigger.inFile(db) { try drop(found.trigger) }
    for table in LogTables.names {
      try db.execute(sql: "DROP TABLE IF EXISTS main.\(SQLName.quote(table))")
    }
    return true
  }

  private func createTables(followingAll isAll: Bool) throws {
    for statement in LogTables.creation { try db.execute(sql: statement) }
    var generator = SystemRandomNumberGenerator()
    let store = UInt128(generator.next()) << 64 | UInt128(generator.next())
    try db.execute(
      sql: """
        INSERT INTO main.sectile_log_state
          (one, store, epoch, pruned_to, pruned_salt, format, all_tables)
        VALUES (1, ?, 1, 0, 0, ?, ?)
        """, arguments: [Data(LogState.bytes(of: store)), LogState.plainFormat, isAll])
    // A log is never empty, so that each place in it has a salt.
    try LogOperation.note.append(in: db)
  }

  func schemas(of names: [String]) throws -> [TableSchema] {
    try names.map { name in
      guard let schema = try TableSchema(of: name, in: db) else {
        throw StoreError(
          .invalidRequest, message: "There is no table \(name) whose changes could be logged",
          hint: "Name tables of the file's main schema.")
      }
      return schema
    }
  }

  /// Adds a table that is not followed yet.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - state: What the file says.
  ///   - isNew: Whether the log itself is new, so that nobody has a place in it.
  ///   - isWanted: Whether the table was asked for by its name.
  /// - Returns: Whether it was added.
  /// - Throws: `invalidRequest` for a table that was asked for and cannot be followed.
  private func add(
    _ table: TableSchema, to state: LogState, isNew: Bool, isWanted: Bool
  ) throws -> Bool {
    guard !state.tables.contains(where: { $0.name.lowercased() == table.name.lowercased() }) else {
      return false
    }
    let id = try unusedNumber()
    switch try LogTriggers.of(table, id: id, in: db) {
    case .untracked(let reason):
      guard !isWanted else {
        throw StoreError(
          .invalidRequest, message: "The changes of \(table.name) cannot be logged: \(reason)",
          hint: "Leave the table out: live results of it read everything after commits of others.")
      }
      return false
    case .tracked(let keys, let triggers):
      // A place from before is behind this row: from there on, not all changes of the table are
      // known.
      if !isNew { try LogOperation.note.append(in: db) }
      try db.execute(
        sql: """
          INSERT INTO main.sectile_log_table (id, name, keys, triggers, since)
          VALUES (?, ?, ?, ?, (SELECT max(seq) FROM main.sectile_log))
          """, arguments: [id, table.name, Self.list(keys), Self.digest(of: triggers)])
      try create(triggers)
      return true
    }
  }

  /// A number that no table has, nor had one whose rows are still in the log.
  private func unusedNumber() throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT 1 + max(coalesce((SELECT max(id) FROM main.sectile_log_table), 0),
          coalesce((SELECT max(tbl) FROM main.sectile_log WHERE tbl < 1000000000), 0))
        """) ?? 1
  }

  // MARK: A new schema

  /// Makes the triggers those that the tables need as they are now, and adds tables that are new
  /// where all are followed.
  ///
  /// Of a table whose triggers were not right, a row of the log tells that something may be
  /// missing.
  ///
  /// - Returns: Whether something was changed.
  /// - Throws: What reading the schema and writing throw.
  func repair() throws -> Bool {
    guard let state = try LogState(in: db) else { return false }
    var hasChanged = false
    for table in state.tables where !table.isIntact {
      try reinstall(table)
      hasChanged = true
    }
    guard state.followsAllTables else { return hasChanged }
    for table in try TableSchema.all(in: db) {
      if try add(table, to: state, isNew: false, isWanted: false) { hasChanged = true }
    }
    return hasChanged
  }

  private func reinstall(_ table: LoggedTable) throws {
    for found in try LogTrigger.inFile(db)
    where LogTrigger.tableNumber(ofTriggerNamed: found.trigger.name) == table.id {
      try drop(found.trigger)
    }
    try LogOperation.reset.append(of: table.id, in: db)
    let isAudited = try LogAudit.tables(in: db)[table.id] != nil
    var keepsValues = false
    if let schema = try TableSchema(of: table.name, in: db),
      case (.tracked(let keys, let triggers), let keeps) = try LogTriggers.needed(
        by: schema, id: table.id, wantsValues: isAudited, in: db)
    {
      keepsValues = keeps
      try create(triggers)
      try db.execute(
        sql: """
          UPDATE main.sectile_log_table
          SET name = ?, keys = ?, triggers = ?, since = (SELECT max(seq) FROM main.sectile_log)
          WHERE id = ?
          """, arguments: [schema.name, Self.list(keys), Self.digest(of: triggers), table.id])
    } else {
      try db.execute(
        sql: "DELETE FROM main.sectile_log_table WHERE id = ?", arguments: [table.id])
    }
    if isAudited { try noteValues(of: table.id, areKept: keepsValues) }
  }

  // MARK: Parts

  func create(_ triggers: [LogTrigger]) throws {
    for trigger in triggers { try db.execute(sql: trigger.sql) }
  }

  func drop(_ trigger: LogTrigger) throws {
    try db.execute(sql: "DROP TRIGGER main.\(SQLName.quote(trigger.name))")
  }

  static func list(_ names: [String]) -> String {
    names.map { SQLName.quote($0) }.joined(separator: ", ")
  }

  static func digest(of triggers: [LogTrigger]) -> String {
    let sql = Array(triggers.map(\.sql).joined(separator: "\n").utf8)
    return String(sql.withUnsafeBytes { WyHash.hash($0, seed: 0) }, radix: 16)
  }
}
