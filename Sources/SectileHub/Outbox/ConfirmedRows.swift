internal import SectileCore
internal import SectileStore

/// The rows of a table as the hub has confirmed them, where the table shows something else for now.
///
/// They are in a table beside it, with the same columns: before the hub's next transaction they are put back.
struct ConfirmedRows {
  private static let isThere = "sectile_is_there"
  /// The names of tables that show what is not confirmed.
  private static let shown = "sectile_outbox_shown"

  static let statements =
    "CREATE TABLE IF NOT EXISTS \(shown) (name TEXT PRIMARY KEY) WITHOUT ROWID;"

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
    try transaction.execute("DELETE FROM \(shown) WHERE name = ?", table)
  }

  /// Keeps the row of a key, or that there is none, unless that was done since the rows were put back.
  func keep(_ key: [StoredValue], in transaction: StoreTransaction) throws {
    let keep = """
      INSERT OR IGNORE INTO \(aside) (\(columns), \(Self.isThere))
      SELECT \(columns), 1 FROM \(name) WHERE (\(self.key)) = (\(keyMarks))
      """
    if try !isMade(in: transaction) { try transaction.execute(creation) }
    try transaction.run(prepared: keep, key)
    try transaction.run(
      prepared:
        "INSERT OR IGNORE INTO \(aside) (\(self.key), \(Self.isThere)) VALUES (\(keyMarks), 0)", key
    )
    try transaction.run(
      prepared: "INSERT OR IGNORE INTO \(Self.shown) VALUES (?)", [.text(table.name)])
  }

  /// Whether the table shows something else for a key.
  func has(_ key: [StoredValue], in transaction: StoreReadTransaction) throws -> Bool {
    guard try Self.shownTables(in: transaction).contains(table.name) else { return false }
    return try !transaction.query(
      "SELECT 1 FROM \(aside) WHERE (\(self.key)) = (\(keyMarks))", values: key
    ).isEmpty
  }

  /// Puts all of them back.
  func putBack(in transaction: StoreTransaction) throws {
    try transaction.run(
      prepared: "DELETE FROM \(name) WHERE (\(key)) IN (SELECT \(key) FROM \(aside))")
    try transaction.run(
      prepared:
        "INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM \(aside) WHERE \(Self.isThere)")
    try transaction.run(prepared: "DELETE FROM \(aside)")
    try transaction.run(prepared: "DELETE FROM \(Self.shown) WHERE name = ?", [.text(table.name)])
  }

  /// The names of tables that show something else than is confirmed.
  static func shownTables(in transaction: StoreReadTransaction) throws -> [String] {
    try transaction.query("SELECT name FROM \(shown)").compactMap { row in
      if case .text(let name)? = row.values.first { name } else { nil }
    }
  }

  private func isMade(in transaction: StoreReadTransaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?",
      Self.name(beside: table.name)
    ).isEmpty
  }

  private var creation: String {
    let definitions = table.columns.map { "\(SQLName.quote($0.name)) \($0.type.sqliteType)" }
    return
      "CREATE TABLE \(aside) (\(definitions.joined(separator: ", ")), \(Self.isThere) INTEGER NOT NULL, "
      + "PRIMARY KEY (\(key))) WITHOUT ROWID"
  }
}
