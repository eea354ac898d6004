internal import FoundationEssentials
internal import SectileCore
internal import SectileStore

/// Makes the hub's tables in a replica's file, and keeps everybody but the replicator from writing
/// to them.
///
/// Only the primary key is unique there, and there are no foreign keys: the hub has seen to both,
/// and a transaction whose rows swap a unique value would fail row by row. Indexes are the
/// application's to add.
enum ReplicaSchema {
  /// Makes tables what they are to be.
  ///
  /// New ones are made, columns come and go, what is not wanted any more goes, and so does a table
  /// that somebody has changed. They show what the hub has confirmed then.
  ///
  /// - Parameters:
  ///   - wanted: The tables.
  ///   - transaction: One in which ``ReplicaTables/install(at:in:)`` was called.
  /// - Throws: ``HubError`` with the code `hubOwned` where the file has a table of the name that is
  ///   not the hub's.
  static func change(to wanted: [SyncedTable], in transaction: StoreTransaction) throws {
    var broken: [ApplicationObjects] = []
    let present = try ReplicaTables.syncedTables(in: transaction).filter { table in
      if try isIntact(table, in: transaction) { return true }
      broken.append(try ApplicationObjects(of: table.name, in: transaction))
      try drop(table, in: transaction)
      return false
    }
    try Outbox(present).takeBackAll(in: transaction)
    for table in present where !wanted.contains(where: { $0.name == table.name }) {
      try drop(table, in: transaction)
    }
    for table in wanted {
      if let old = present.first(where: { $0.name == table.name }) {
        try change(old, to: table, in: transaction)
      } else {
        try refuseForeign(table, in: transaction)
        try create(table, in: transaction)
      }
    }
    for objects in broken { try objects.make(in: transaction) }
  }

  /// Whether a table is there with the columns, the key and the triggers that it was made with.
  static func isIntact(
    _ table: SyncedTable, in transaction: StoreReadTransaction
  ) throws -> Bool {
    let columns = try transaction.query(
      "SELECT name, type, pk FROM pragma_table_info(?, 'main')", table.name)
    let triggers = try transaction.query(
      "SELECT sql FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ?", table.name)
    let wanted: [[StoredValue]] = table.columns.map { column in
      let place = table.key.firstIndex(of: column.name).map { $0 + 1 } ?? 0
      return [.text(column.name), .text(column.type.sqliteType), .integer(Int64(place))]
    }
    // SQLite keeps definitions without the name of the database.
    let guards = guards(of: table).map { $0.replacing("main.", with: "", maxReplacements: 1) }
    return Set(columns.map(\.values)) == Set(wanted)
      && Set(triggers.map(\.values)).isSuperset(of: guards.map { [.text($0)] })
  }

  private static func create(_ table: SyncedTable, in transaction: StoreTransaction) throws {
    try transaction.execute(creation(of: table))
    for trigger in guards(of: table) { try transaction.execute(trigger) }
    try record(table, in: transaction)
  }

  private static func drop(_ table: SyncedTable, in transaction: StoreTransaction) throws {
    try transaction.execute("DROP TABLE IF EXISTS main.\(SQLName.quote(table.name))")
    try ConfirmedRows.forget(table.name, in: transaction)
    try KeyReserve.empty(table.name, in: transaction)
    try transaction.execute("DELETE FROM \(ReplicaTables.tables) WHERE name = ?", table.name)
  }

  private static func change(
    _ old: SyncedTable, to new: SyncedTable, in transaction: StoreTransaction
  ) throws {
    guard old != new else { return }
    let objects = try ApplicationObjects(of: old.name, in: transaction)
    try objects.remove(in: transaction)
    try alter(old, to: new, in: transaction)
    try objects.make(in: transaction)
  }

  private static func alter(
    _ old: SyncedTable, to new: SyncedTable, in transaction: StoreTransaction
  ) throws {
    let kept = old.columns.filter { column in
      new.columns.contains {
        $0.name == column.name && $0.type == column.type && $0.scale == column.scale
      }
    }
    let isKeyKept =
      old.key == new.key && new.key.allSatisfy { name in kept.contains { $0.name == name } }
    let isEachKept = old.columns.allSatisfy { column in
      kept.contains(column) || !new.columns.contains { $0.name == column.name }
    }
    guard isKeyKept, isEachKept else {
      try drop(old, in: transaction)
      try create(new, in: transaction)
      return
    }
    try ConfirmedRows.forget(old.name, in: transaction)
    let name = SQLName.quote(new.name)
    for column in old.columns where !kept.contains(column) {
      try transaction.execute("ALTER TABLE main.\(name) DROP COLUMN \(SQLName.quote(column.name))")
    }
    for column in new.columns where !old.columns.contains(where: { $0.name == column.name }) {
      try transaction.execute("ALTER TABLE main.\(name) ADD COLUMN \(definition(of: column))")
    }
    try record(new, in: transaction)
  }

  private static func record(_ table: SyncedTable, in transaction: StoreTransaction) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let definition = String(decoding: try encoder.encode(table), as: UTF8.self)
    try transaction.execute(
      "INSERT OR REPLACE INTO \(ReplicaTables.tables) VALUES (?, ?)", table.name, definition)
  }

  private static func refuseForeign(
    _ table: SyncedTable, in transaction: StoreTransaction
  ) throws {
    let there = try transaction.query(
      "SELECT type FROM main.sqlite_master WHERE lower(name) = lower(?)", table.name)
    guard !there.isEmpty else { return }
    throw HubError(
      .hubOwned, message: "The file has a table \(table.name) of its own already",
      hint: "Open the replica at another path, or rename the table.")
  }

  // MARK: - SQL

  /// The statement that makes a table.
  static func creation(of table: SyncedTable) -> String {
    let isRowID =
      table.key.count == 1
      && table.columns.contains { $0.name == table.key[0] && $0.type == .integer }
    var lines = table.columns.map { column in
      definition(of: column) + (isRowID && column.name == table.key[0] ? " PRIMARY KEY" : "")
    }
    if !isRowID {
      lines.append("PRIMARY KEY (\(table.key.map(SQLName.quote).joined(separator: ", ")))")
    }
    return
      "CREATE TABLE main.\(SQLName.quote(table.name)) (\n  \(lines.joined(separator: ",\n  ")))"
      + (isRowID ? "" : " WITHOUT ROWID")
  }

  private static func definition(of column: SyncedTable.Column) -> String {
    "\(SQLName.quote(column.name)) \(column.type.sqliteType)"
  }

  /// The triggers that refuse what is not the replicator's.
  static func guards(of table: SyncedTable) -> [String] {
    let message = "\(table.name) belongs to the hub: write with Replica.write"
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).joined(
      separator: "''")
    return ["INSERT", "UPDATE", "DELETE"].map { event in
      """
      CREATE TRIGGER main.\(SQLName.quote("sectile_replica_\(table.name)_\(event.lowercased())"))
      BEFORE \(event) ON \(SQLName.quote(table.name))
      WHEN (SELECT is_open FROM \(ReplicaTables.state)) = 0
      BEGIN SELECT RAISE(ABORT, '\(quoted)'); END
      """
    }
  }
}
