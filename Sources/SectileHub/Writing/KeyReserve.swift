internal import SectileCore
internal import SectileStore

/// The keys in a replica's file that the hub has made for it, and that no row has yet.
///
/// ```
/// hub's sequence   41 42 43 44 45 46     42 and 46 went to others
/// reserve          41    43 44 45        given out from the first on, each once
/// ```
///
/// A key that is taken is gone with the transaction that takes it: where that fails, it is there
/// still.
enum KeyReserve {
  /// How many keys of a table are wanted, and how many are there.
  struct Level: Hashable, Sendable {
    let table: String
    let wanted: Int
    let count: Int

    /// Whether it is time for more.
    var isLow: Bool { count < wanted - count }
  }

  static let name = "sectile_outbox_reserve"
  private static let keys = "sectile_outbox_key"

  static let statements = """
    CREATE TABLE IF NOT EXISTS \(name) (
      table_name TEXT PRIMARY KEY, column_name TEXT NOT NULL, wanted INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS \(keys) (number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, value NOT NULL);
    CREATE INDEX IF NOT EXISTS \(keys)_table ON \(keys) (table_name, number);
    """

  // MARK: - Writing

  /// Adds keys that the hub has made, and says how many are wanted from now on.
  static func add(
    _ values: [StoredValue], of table: String, column: String, wanted: Int,
    in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: """
        INSERT INTO \(name) VALUES (?, ?, ?)
        ON CONFLICT (table_name) DO UPDATE
        SET column_name = excluded.column_name, wanted = excluded.wanted
        """, [.text(table), .text(column), .integer(Int64(wanted))])
    for value in values {
      try transaction.run(
        prepared: "INSERT INTO \(keys) (table_name, value) VALUES (?, ?)", [.text(table), value])
    }
  }

  /// Says how many keys of a table are wanted, where some are kept of it.
  static func setWanted(
    _ wanted: Int, of table: String, in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: "UPDATE \(name) SET wanted = ? WHERE table_name = ?",
      [.integer(Int64(wanted)), .text(table)])
  }

  /// Takes the first key of a table; nil where none is left.
  static func take(
    of table: String, in transaction: StoreTransaction
  ) throws -> StoredValue? {
    let rows = try transaction.rows(
      prepared: "SELECT number, value FROM \(keys) WHERE table_name = ? ORDER BY number LIMIT 1",
      [.text(table)])
    guard let row = rows.first else { return nil }
    try transaction.run(prepared: "DELETE FROM \(keys) WHERE number = ?", [row[0]])
    return row[1]
  }

  /// Gives up the keys of a table, and wants none any more.
  static func forget(_ table: String, in transaction: StoreTransaction) throws {
    try empty(table, in: transaction)
    try transaction.run(prepared: "DELETE FROM \(name) WHERE table_name = ?", [.text(table)])
  }

  /// Gives up the keys of a table, so that others take their place.
  static func empty(_ table: String, in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "DELETE FROM \(keys) WHERE table_name = ?", [.text(table)])
  }

  /// Gives up all keys, so that others take their place.
  static func emptyAll(in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "DELETE FROM \(keys)")
  }

  // MARK: - Reading

  /// The column of a table's key to which the keys belong; nil where none are kept of the table.
  static func column(
    of table: String, in transaction: StoreReadTransaction
  ) throws -> String? {
    let rows = try transaction.rows(
      prepared: "SELECT column_name FROM \(name) WHERE table_name = ?", [.text(table)])
    if case .text(let column)? = rows.first?.first { return column }
    return nil
  }

  /// How many keys of a table are there.
  static func count(of table: String, in transaction: StoreReadTransaction) throws -> Int {
    let rows = try transaction.rows(
      prepared: "SELECT count(*) FROM \(keys) WHERE table_name = ?", [.text(table)])
    if case .integer(let count)? = rows.first?.first { return Int(count) }
    return 0
  }

  /// How many keys are wanted of each table of which some are kept, and how many are there.
  static func levels(in transaction: StoreReadTransaction) throws -> [Level] {
    let rows = try transaction.rows(
      prepared: "SELECT table_name, wanted FROM \(name) ORDER BY table_name")
    return try rows.compactMap { row in
      guard case (.text(let table), .integer(let wanted)) = (row[0], row[1]) else { return nil }
      return Level(
        table: table, wanted: Int(wanted), count: try count(of: table, in: transaction))
    }
  }
}

extension RowMutation {
  /// The change with a key of the reserve, where it is a new row that has none and the hub's keys
  /// are kept of its table.
  ///
  /// - Throws: ``HubError`` with the code `keysUsedUp`; `StoreError`.
  func completed(in tables: [SyncedTable], _ transaction: StoreTransaction) throws -> RowMutation {
    guard case .insert(let name, var values) = self,
      let table = tables.first(where: { $0.name == name })
    else { return self }
    let missing = table.key.filter { values[$0, default: .null] == .null }
    guard !missing.isEmpty, let column = try KeyReserve.column(of: name, in: transaction),
      missing == [column]
    else { return self }
    guard let key = try KeyReserve.take(of: name, in: transaction) else {
      throw HubError(
        .keysUsedUp, message: "No key that the hub has made for \(name) is left",
        hint:
          "More come while the hub can be reached. Have more be kept: Replica.reserveKeys(of:count:)."
      )
    }
    values[column] = key
    return .insert(table: name, values: values)
  }
}
