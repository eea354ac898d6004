internal import SectileCore
internal import SectileStore

/// Under whose names the entries of an outbox are sent: several clients, each with one entry on its
/// way at most.
///
/// The hub keeps the last outcome of each client. So every entry that was sent, together with
/// others or not, can be asked about when its answer did not come, also by a later process.
enum OutboxClients {
  static let name = "sectile_outbox_sender"

  static let statements = """
    CREATE TABLE IF NOT EXISTS \(name) (id INTEGER PRIMARY KEY, name TEXT NOT NULL, last INTEGER NOT NULL);
    """

  /// Gives an entry the next number of a client that has none on its way, under which it is sent
  /// from now on.
  static func number(
    _ entry: OutboxEntry.ID, in transaction: StoreTransaction
  ) throws -> MutationID {
    let sent = OutboxTables.State.sent.rawValue
    let free = try transaction.rows(
      prepared: """
        SELECT id, name, last + 1 FROM \(name) AS sender
        WHERE NOT EXISTS (
          SELECT 1 FROM \(OutboxTables.entries) WHERE client = sender.name AND state = \(sent))
        ORDER BY id LIMIT 1
        """
    ).first
    let id: MutationID
    if case (.text(let client)?, .integer(let number)?) = (free?[1], free?[2]) {
      id = MutationID(client: client, number: number)
    } else {
      id = MutationID(client: MutationID.freshClient(), number: 1)
      try transaction.run(
        prepared: "INSERT INTO \(name) (name, last) VALUES (?, 0)", [.text(id.client)])
    }
    try transaction.run(
      prepared: "UPDATE \(name) SET last = ? WHERE name = ?",
      [.integer(id.number), .text(id.client)])
    try OutboxTables.setSent(entry, as: id, in: transaction)
    return id
  }

  /// Has the entries of a client that the hub does not know any more be sent under another name.
  ///
  /// What the hub has lost of one client it may have lost of others: the last entry of each that
  /// was performed and has not come back is sent again under its number, by which the hub tells.
  static func forget(_ client: String, in transaction: StoreTransaction) throws {
    let entries = OutboxTables.entries
    let (waiting, sent, accepted) = (
      OutboxTables.State.waiting.rawValue, OutboxTables.State.sent.rawValue,
      OutboxTables.State.accepted.rawValue
    )
    try transaction.run(prepared: "DELETE FROM \(name) WHERE name = ?", [.text(client)])
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = \(waiting), client = NULL, client_number = NULL
        WHERE client = ? AND state IN (\(sent), \(accepted))
        """, [.text(client)])
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = \(sent)
        WHERE state = \(accepted) AND client_number = (
          SELECT max(other.client_number) FROM \(entries) AS other
          WHERE other.client = \(entries).client AND other.state IN (\(sent), \(accepted)))
        """)
  }
}
