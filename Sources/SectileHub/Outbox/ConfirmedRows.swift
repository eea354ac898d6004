internal import SectileCore
internal import SectileStore

/// The rows of a table as the hub has confirmed them, where entries of the outbox have the table
/// show something else.
///
/// They are in a table beside it, with the same columns, and each has a number there: before the
/// hub changes one, it is put back.
struct ConfirmedRows {
  private static let number = "sectile_row"
  private static let isThere = "sectile_is_there"

  private let table: SyncedTable
  private let name: String
  private let aside: String
  private let columns: String
  private let key: String
  private let keyMarks: String

  init(_ table: SyncedTable) {
    self.table = table
    name = "main." + SQLName.quote(table.name)
    aside = "main." + SQLName.quote(Self.name(beside: table.name))
    columns = table.columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    key = table.key.map(SQLName.quote).joined(separator: ", ")
    keyMarks = table.key.map { _ in "?" }.joined(separator: ", ")
  }

  private static func name(beside table: String) -> String { "sectile_confirmed_\(table)" }

  /// Forgets what is kept of a table that is going away, or changing after the rows were put back.
  static func forget(_ table: String, in transaction: StoreTransaction) throws {
    try transaction.execute("DROP TABLE IF EXISTS main.\(SQLName.quote(name(beside: table)))")
    try WaitingRows.remove(table: table, in: transaction)
  }

  /// Keeps the row of a key, or that there is none, for an entry that changes it, unless that was
  /// done for another.
  func keep(_ key: [StoredValue], for entry: Int64, in transaction: StoreTransaction) throws {
    if try !isMade(in: transaction) { try transaction.execute(creation) }
    try transaction.run(
      prepared: """
        INSERT OR IGNORE INTO \(aside) (\(columns), \(Self.isThere))
        SELECT \(columns), 1 FROM \(name) WHERE (\(self.key)) = (\(keyMarks))
        """, key)
    try transaction.run(
      prepared:
        "INSERT OR IGNORE INTO \(aside) (\(self.key), \(Self.isThere)) VALUES (\(keyMarks), 0)", key
    )
    // There is none for a key with NULL, which no row has.
    if let row = try row(of: key, in: transaction) {
      try WaitingRows.add(row, of: entry, in: transaction)
    }
  }

  /// Which one is kept for a key; nil for none.
  ///
  /// - Throws: `StoreError`, also where nothing was ever kept of the table.
  func row(
    of key: [StoredValue], in transaction: StoreReadTransaction
  ) throws -> WaitingRows.Row? {
    let rows = try transaction.rows(
      prepared: "SELECT \(Self.number) FROM \(aside) WHERE (\(self.key)) = (\(keyMarks))", key)
    guard case .integer(let number)? = rows.first?.first else { return nil }
    return WaitingRows.Row(table: table.name, number: number)
  }

  /// The last entry that touches the row of a key; nil for none.
  func lastEntry(
    of key: [StoredValue], in transaction: StoreReadTransaction
  ) throws -> OutboxEntry.ID? {
    guard try isMade(in: transaction), let row = try row(of: key, in: transaction) else {
      return nil
    }
    return try WaitingRows.entries(of: row, in: transaction).max()
  }

  /// The keys of all that are kept, in no order.
  func keys(in transaction: StoreReadTransaction) throws -> [[StoredValue]] {
    guard try isMade(in: transaction) else { return [] }
    return try transaction.rows(prepared: "SELECT \(key) FROM \(aside)")
  }

  /// Puts one back.
  func putBack(_ row: WaitingRows.Row, in transaction: StoreTransaction) throws {
    let row = [StoredValue.integer(row.number)]
    try transaction.run(
      prepared: """
        DELETE FROM \(name) WHERE (\(key)) = (SELECT \(key) FROM \(aside) WHERE \(Self.number) = ?)
        """, row)
    try transaction.run(
      prepared: """
        INSERT INTO \(name) (\(columns))
        SELECT \(columns) FROM \(aside) WHERE \(Self.number) = ? AND \(Self.isThere)
        """, row)
    try transaction.run(prepared: "DELETE FROM \(aside) WHERE \(Self.number) = ?", row)
  }

  private func isMade(in transaction: StoreReadTransaction) throws -> Bool {
    try !transaction.rows(
      prepared: "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?",
      [.text(Self.name(beside: table.name))]
    ).isEmpty
  }

  private var creation: String {
    let columns = table.columns.map { column in
      "\(SQLName.quote(column.name)) \(column.type.sqliteType)"
        + (table.key.contains(column.name) ? " NOT NULL" : "")
    }
    return """
      CREATE TABLE \(aside) (
        \(Self.number) INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")), \(Self.isThere) INTEGER NOT NULL,
        UNIQUE (\(key)))
      """
  }
}
