internal import FoundationEssentials
internal import SectileCore
internal import SectileStore

/// What a replica's file knows of its hub: where it stands, which tables are the hub's, which
/// mutations are in them.
///
/// The triggers of the hub's tables ask its one row whether the transaction is the replicator's.
enum ReplicaTables {
  static let state = "sectile_replica"
  static let tables = "sectile_replica_table"
  static let clients = "sectile_replica_client"
  static let refusals = "sectile_replica_refusal"

  /// The clients whose last mutation the hub has refused, for who makes a snapshot of the file.
  static let refusalStatements =
    "CREATE TABLE IF NOT EXISTS \(refusals) (client TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;"

  private static let statements = """
    CREATE TABLE IF NOT EXISTS \(state) (
      id INTEGER PRIMARY KEY CHECK (id = 1), is_open INTEGER NOT NULL, token TEXT NOT NULL, heartbeat REAL,
      lowest_version INTEGER, highest_version INTEGER);
    CREATE TABLE IF NOT EXISTS \(tables) (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS \(clients) (client TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
    \(refusalStatements)
    \(OutboxTables.statements)
    """

  /// Makes the tables, and has the file stand at a token, in a transaction that may write to the
  /// hub's tables until ``close(at:_:in:)``.
  static func install(at token: HubToken, in transaction: StoreTransaction) throws {
    try transaction.execute(statements)
    try transaction.execute(
      "INSERT OR IGNORE INTO \(state) (id, is_open, token) VALUES (1, 0, ?)", token.description)
    try open(in: transaction)
  }

  /// Has the rest of the transaction write to the hub's tables.
  static func open(in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "UPDATE \(state) SET is_open = 1")
  }

  /// Ends what ``open(in:)`` began, where the file stands as it did.
  static func shut(in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "UPDATE \(state) SET is_open = 0")
  }

  /// Ends what ``open(in:)`` began, and says where the file stands now.
  static func close(
    at token: HubToken, _ controlRecords: HubControlRecords, in transaction: StoreTransaction
  ) throws {
    for record in controlRecords.outcomes {
      try transaction.run(
        prepared: """
          INSERT INTO \(clients) VALUES (?, ?)
          ON CONFLICT (client) DO UPDATE SET number = excluded.number
          """,
        [.text(record.id.client), .integer(record.id.number)])
      guard !record.isApplied else { continue }
      try transaction.run(
        prepared: "INSERT OR REPLACE INTO \(refusals) VALUES (?, ?)",
        [.text(record.id.client), .integer(record.id.number)])
    }
    if let heartbeat = controlRecords.heartbeat {
      try transaction.run(
        prepared: "UPDATE \(state) SET heartbeat = ?",
        [.real(heartbeat.date.timeIntervalSince1970)])
    }
    if let versions = controlRecords.schemaVersions {
      try transaction.run(
        prepared: "UPDATE \(state) SET lowest_version = ?, highest_version = ?",
        [.integer(Int64(versions.lowerBound)), .integer(Int64(versions.upperBound))])
    }
    try transaction.run(
      prepared: "UPDATE \(state) SET is_open = 0, token = ?", [.text(token.description)])
  }

  // MARK: - Reading

  /// Where the file stands; nil where it is no replica, or one that was never filled.
  static func token(in transaction: StoreReadTransaction) throws -> HubToken? {
    guard try isThere(in: transaction) else { return nil }
    let row = try transaction.query("SELECT token FROM \(state)").first
    guard case .text(let text)? = row?.values.first else { return nil }
    return HubToken(text)
  }

  /// The number of a client's last mutation that the file has; 0 for none.
  static func lastNumber(
    of client: String, in transaction: StoreReadTransaction
  ) throws -> Int64 {
    guard try isThere(in: transaction) else { return 0 }
    let rows = try transaction.query("SELECT number FROM \(clients) WHERE client = ?", client)
    guard case .integer(let number)? = rows.first?.values.first else { return 0 }
    return number
  }

  /// What became of the last mutation of each client, as far as the file has it.
  static func outcomes(in transaction: StoreReadTransaction) throws -> [MutationReceipt] {
    guard try isThere(in: transaction) else { return [] }
    return try transaction.rows(
      prepared: """
        SELECT client, clients.number, refusals.number IS clients.number
        FROM \(clients) AS clients LEFT JOIN \(refusals) AS refusals USING (client) ORDER BY client
        """
    ).compactMap { row -> MutationReceipt? in
      guard case .text(let client) = row[0], case .integer(let number) = row[1] else { return nil }
      return MutationReceipt(
        MutationID(client: client, number: number), isApplied: row[2] != .integer(1))
    }
  }

  /// When the hub last told that it is alive, as far as the file knows.
  static func heartbeat(in transaction: StoreReadTransaction) throws -> Date? {
    guard try isThere(in: transaction),
      case .real(let seconds)? = try transaction.query("SELECT heartbeat FROM \(state)")
        .first?.values.first
    else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Which versions of the schema the hub supports, as far as the file knows.
  static func schemaVersions(in transaction: StoreReadTransaction) throws -> ClosedRange<Int>? {
    guard try isThere(in: transaction),
      let row = try transaction.query("SELECT lowest_version, highest_version FROM \(state)")
        .first?.values,
      case (.integer(let low), .integer(let high)) = (row[0], row[1]), low <= high
    else { return nil }
    return Int(low)...Int(high)
  }

  /// The hub's tables that the file has.
  static func syncedTables(in transaction: StoreReadTransaction) throws -> [SyncedTable] {
    guard try isThere(in: transaction) else { return [] }
    return try transaction.query("SELECT definition FROM \(tables) ORDER BY name").compactMap {
      guard case .text(let definition)? = $0.values.first else { return nil }
      return try? JSONDecoder().decode(SyncedTable.self, from: Data(definition.utf8))
    }
  }

  private static func isThere(in transaction: StoreReadTransaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", clients
    ).isEmpty
  }
}
