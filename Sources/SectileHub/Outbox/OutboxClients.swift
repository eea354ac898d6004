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
  ///
  /// It is the client that was numbered last of those. So the first entry of several is of the
  /// client whose mutation was decided last: a hub that has lost any has lost that one, and refuses
  /// the number before it performs anything behind what it lost.
  static func number(
    _ entry: OutboxEntry.ID, in transaction: StoreTransaction
  ) throws -> MutationID {
    let sent = OutboxTables.State.sent.rawValue
    let free = try transaction.rows(
      prepared: """
        SELECT name, last + 1 FROM \(name) AS sender
        WHERE NOT EXISTS (
          SELECT 1 FROM \(OutboxTables.entries) WHERE client = sender.name AND state = \(sent))
        ORDER BY id DESC LIMIT 1
        """
    ).first
    let id: MutationID
    if case (.text(let client)?, .integer(let number)?) = (free?[0], free?[1]) {
      id = MutationID(client: client, number: number)
    } else {
      id = MutationID(client: MutationID.freshClient(), number: 1)
      try transaction.run(
        prepared: "INSERT INTO \(name) (name, last) VALUES (?, 0)", [.text(id.client)])
    }
    try transaction.run(
      prepared: """
        UPDATE \(name) SET id = (SELECT max(id) + 1 FROM \(name)), last = ? WHERE name = ?
        """,
      [.integer(id.number), .text(id.client)])
    try OutboxTables.setSent(entry, as: id, in: transaction)
    return id
  }

  /// Has the hub be asked about what it performed, before it is asked about entries that were sent
  /// with it and not answered: the hub may be another one now, which lost it, and would perform
  /// those without it.
  static func askAgain(in transaction: StoreTransaction) throws {
    if try OutboxTables.count([.sent], in: transaction) > 0 { try askForLast(in: transaction) }
  }

  /// Has the hub be asked about the last entry of each client that was performed and has not come
  /// back, by its number, where the client has none on its way, which asks by itself.
  private static func askForLast(in transaction: StoreTransaction) throws {
    let entries = OutboxTables.entries
    let (sent, accepted) = (
      OutboxTables.State.sent.rawValue, OutboxTables.State.accepted.rawValue
    )
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = \(sent)
        WHERE state = \(accepted) AND client_number = (
          SELECT max(other.client_number) FROM \(entries) AS other
          WHERE other.client = \(entries).client AND other.state IN (\(sent), \(accepted)))
        """)
  }

  /// Has an entry be sent under another name, whose number the hub refuses, and all that the hub
  /// may have lost as well be asked for.
  static func forget(_ entry: OutboxEntry.ID, in transaction: StoreTransaction) throws {
    let entries = OutboxTables.entries
    try transaction.run(
      prepared: """
        DELETE FROM \(name) WHERE name = (SELECT client FROM \(entries) WHERE number = ?)
        """, [.integer(entry)])
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = \(OutboxTables.State.waiting.rawValue), client = NULL,
          client_number = NULL
        WHERE number = ?
        """, [.integer(entry)])
    try askForLast(in: transaction)
  }

  /// Has what was sent behind an entry that the hub lost be sent under other names, where its
  /// clients have others that the hub may have lost as well, and that it is to be asked about.
  ///
  /// The hub performed none of it: it performs nothing behind what it does not perform, and what it
  /// had performed before it lost the entry is lost as well.
  static func forgetSent(in transaction: StoreTransaction) throws {
    let entries = OutboxTables.entries
    let (waiting, sent, accepted) = (
      OutboxTables.State.waiting.rawValue, OutboxTables.State.sent.rawValue,
      OutboxTables.State.accepted.rawValue
    )
    let performed = "SELECT client FROM \(entries) WHERE state = \(accepted)"
    try transaction.run(
      prepared: """
        DELETE FROM \(name) WHERE name IN (\(performed))
          AND name IN (SELECT client FROM \(entries) WHERE state = \(sent))
        """)
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = \(waiting), client = NULL, client_number = NULL
        WHERE state = \(sent) AND client IN (\(performed))
        """)
  }

  /// Has the entries of a client that the hub does not know any more be sent under another name.
  ///
  /// What the hub has lost of one client it may have lost of others, which are asked for.
  static func forget(_ client: String, in transaction: StoreTransaction) throws {
    let (waiting, sent, accepted) = (
      OutboxTables.State.waiting.rawValue, OutboxTables.State.sent.rawValue,
      OutboxTables.State.accepted.rawValue
    )
    try transaction.run(prepared: "DELETE FROM \(name) WHERE name = ?", [.text(client)])
    try transaction.run(
      prepared: """
        UPDATE \(OutboxTables.entries) SET state = \(waiting), client = NULL, client_number = NULL
        WHERE client = ? AND state IN (\(sent), \(accepted))
        """, [.text(client)])
    try askForLast(in: transaction)
  }
}
