internal import FoundationEssentials
internal import SectileCore
internal import SectileStore

/// The outbox in a replica's file: mutations that wait for the hub, each with the changes and
/// values that it has.
enum OutboxTables {
  static let entries = "sectile_outbox"
  private static let changes = "sectile_outbox_change"
  private static let values = "sectile_outbox_value"

  /// How far an entry has come, as it is stored.
  enum State: Int64 {
    case waiting = 0
    /// It has a number of the client's, and may have reached the hub.
    case sent = 1
    case accepted = 2
    case parked = 3
  }

  /// What is stored of a change.
  private enum Verb: String {
    case insert, update, delete
  }

  /// Which values of a change: those that find the row, or those that it gets.
  private enum Part: String {
    case key, set
  }

  static let statements = """
    CREATE TABLE IF NOT EXISTS \(entries) (
      number INTEGER PRIMARY KEY AUTOINCREMENT, enqueued_at REAL NOT NULL, state INTEGER NOT NULL, client TEXT,
      client_number INTEGER, rejection TEXT, message TEXT, rejected_change INTEGER);
    CREATE TABLE IF NOT EXISTS \(changes) (
      entry INTEGER, place INTEGER, verb TEXT NOT NULL, table_name TEXT NOT NULL, revision INTEGER,
      PRIMARY KEY (entry, place)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS \(values) (
      entry INTEGER, place INTEGER, part TEXT, nth INTEGER, name TEXT, value,
      PRIMARY KEY (entry, place, part, nth)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS \(entries)_state ON \(entries) (state);
    CREATE INDEX IF NOT EXISTS \(entries)_sent ON \(entries) (client, client_number) WHERE client IS NOT NULL;
    \(WaitingRows.statements)
    \(OutboxBases.statements) \(OutboxClients.statements) \(KeyReserve.statements)
    """

  /// Makes tables in a file of an earlier version, which has not got them.
  static func install(in store: Store) async throws {
    for (name, statements) in [
      (OutboxBases.name, OutboxBases.statements), (OutboxClients.name, OutboxClients.statements),
      (KeyReserve.name, KeyReserve.statements),
      (ReplicaTables.refusals, ReplicaTables.refusalStatements),
    ] {
      let isThere = try await store.read { transaction in
        try !transaction.query(
          "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", name
        ).isEmpty
      }
      if !isThere { try await store.write { try $0.execute(statements) } }
    }
  }

  // MARK: - Writing

  /// Adds an entry at the end.
  static func append(_ mutations: [RowMutation], in transaction: StoreTransaction) throws -> Int64 {
    try transaction.run(
      prepared: "INSERT INTO \(entries) (enqueued_at, state) VALUES (?, ?)",
      [.real(Date().timeIntervalSince1970), .integer(State.waiting.rawValue)])
    let number = try transaction.lastInsertedRowID
    for (place, mutation) in mutations.enumerated() {
      try append(mutation, at: Int64(place), of: number, in: transaction)
    }
    return number
  }

  private static func append(
    _ mutation: RowMutation, at place: Int64, of entry: Int64, in transaction: StoreTransaction
  ) throws {
    var (verb, key, set): (Verb, [StoredValue], [String: StoredValue]) = (.insert, [], [:])
    var revision: Int64?
    switch mutation {
    case .insert(_, let values): set = values
    case .update(_, let found, let seen, let values):
      (verb, key, revision, set) = (.update, found, seen, values)
    case .delete(_, let found, let seen): (verb, key, revision) = (.delete, found, seen)
    }
    try transaction.run(
      prepared: "INSERT INTO \(changes) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(entry), .integer(place), .text(verb.rawValue), .text(mutation.table),
        revision.map(StoredValue.integer) ?? .null,
      ])
    let named =
      key.map { (Part.key, "", $0) }
      + set.sorted { $0.key < $1.key }.map { (.set, $0.key, $0.value) }
    for (nth, (part, name, value)) in named.enumerated() {
      try transaction.run(
        prepared: "INSERT INTO \(values) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .integer(entry), .integer(place), .text(part.rawValue), .integer(Int64(nth)),
          .text(name), value,
        ])
    }
  }

  /// Notes that an entry may reach the hub from now on, and under which number.
  static func setSent(
    _ entry: Int64, as id: MutationID, in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: "UPDATE \(entries) SET state = ?, client = ?, client_number = ? WHERE number = ?",
      [.integer(State.sent.rawValue), .text(id.client), .integer(id.number), .integer(entry)])
  }

  static func setState(_ state: State, of entry: Int64, in transaction: StoreTransaction) throws {
    try transaction.run(
      prepared: "UPDATE \(entries) SET state = ? WHERE number = ?",
      [.integer(state.rawValue), .integer(entry)])
  }

  /// Notes why the hub has refused an entry.
  static func park(
    _ entry: Int64, for rejection: MutationRejection, in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: """
        UPDATE \(entries) SET state = ?, rejection = ?, message = ?, rejected_change = ? WHERE number = ?
        """,
      [
        .integer(State.parked.rawValue), .text(rejection.kind.rawValue), .text(rejection.message),
        rejection.change.map { .integer(Int64($0)) } ?? .null, .integer(entry),
      ])
  }

  /// Says which state of a row a change of an entry is for.
  static func setRevision(
    _ revision: Int64, ofChange place: Int64, of entry: Int64, in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: "UPDATE \(changes) SET revision = ? WHERE entry = ? AND place = ?",
      [.integer(revision), .integer(entry), .integer(place)])
  }

  static func remove(_ entry: Int64, in transaction: StoreTransaction) throws {
    try OutboxBases.remove(of: entry, in: transaction)
    try transaction.run(prepared: "DELETE FROM \(values) WHERE entry = ?", [.integer(entry)])
    try transaction.run(prepared: "DELETE FROM \(changes) WHERE entry = ?", [.integer(entry)])
    try transaction.run(prepared: "DELETE FROM \(entries) WHERE number = ?", [.integer(entry)])
  }

  // MARK: - Reading

  /// An entry as it is stored.
  struct Stored {
    let entry: OutboxEntry
    let state: State
    /// Under which number it was sent; nil where it was not.
    let id: MutationID?
  }

  private static let columns =
    "number, enqueued_at, state, client, client_number, rejection, message, rejected_change"

  /// The entries of some states, in their order.
  static func stored(
    _ states: [State], in transaction: StoreReadTransaction
  ) throws -> [Stored] {
    let wanted = states.map { "\($0.rawValue)" }.joined(separator: ", ")
    return try transaction.rows(
      prepared: "SELECT \(columns) FROM \(entries) WHERE state IN (\(wanted)) ORDER BY number"
    ).compactMap { try stored($0, in: transaction) }
  }

  /// An entry; nil where there is none.
  static func stored(_ entry: Int64, in transaction: StoreReadTransaction) throws -> Stored? {
    try transaction.rows(
      prepared: "SELECT \(columns) FROM \(entries) WHERE number = ?", [.integer(entry)]
    ).first.flatMap { try stored($0, in: transaction) }
  }

  /// The first entries that are to be sent, in their order, as far as they are not large together.
  static func next(
    _ count: Int, in transaction: StoreReadTransaction
  ) throws -> [Stored] {
    // SQLite keeps the entries of a state by their numbers, so that it reads no more than these.
    let firsts = [State.waiting, .sent].map { state in
      """
      SELECT number FROM (SELECT number FROM \(entries) WHERE state = \(state.rawValue)
        ORDER BY number LIMIT \(count))
      """
    }
    let numbers = try transaction.rows(
      prepared: firsts.joined(separator: " UNION ALL ") + " ORDER BY number LIMIT \(count)")
    var (found, size) = ([Stored](), MutationBatchSize())
    for case .integer(let number)? in numbers.map(\.first) {
      guard let stored = try stored(number, in: transaction) else { continue }
      guard size.takes(stored.entry.changes) else { break }
      found.append(stored)
    }
    return found
  }

  /// How many entries are in some states.
  static func count(_ states: [State], in transaction: StoreReadTransaction) throws -> Int {
    let wanted = states.map { "\($0.rawValue)" }.joined(separator: ", ")
    let rows = try transaction.rows(
      prepared: "SELECT count(*) FROM \(entries) WHERE state IN (\(wanted))")
    guard case .integer(let count)? = rows.first?.first else { return 0 }
    return Int(count)
  }

  /// The entries that are among the hub's rows where a record is a client's last word.
  ///
  /// The client's next is numbered when the one before it is decided, so that one with a smaller
  /// number which still waits for its rows was performed.
  static func settled(
    by record: MutationReceipt, in transaction: StoreReadTransaction
  ) throws -> [OutboxEntry.ID] {
    try transaction.rows(
      prepared: """
        SELECT number FROM \(entries) WHERE client = ? AND client_number <= ?
          AND state IN (\(State.sent.rawValue), \(State.accepted.rawValue))
        """,
      [.text(record.id.client), .integer(record.id.number - (record.isApplied ? 0 : 1))]
    ).compactMap { if case .integer(let number)? = $0.first { number } else { nil } }
  }

  /// The entry that was sent under a number, and is not among the hub's rows yet.
  static func entry(
    sentAs id: MutationID, in transaction: StoreReadTransaction
  ) throws -> OutboxEntry.ID? {
    let rows = try transaction.rows(
      prepared: """
        SELECT number FROM \(entries) WHERE client = ? AND client_number = ?
          AND state IN (\(State.sent.rawValue), \(State.accepted.rawValue))
        """, [.text(id.client), .integer(id.number)])
    if case .integer(let number)? = rows.first?.first { return number }
    return nil
  }

  private static func stored(
    _ row: [StoredValue], in transaction: StoreReadTransaction
  ) throws -> Stored? {
    guard
      case (.integer(let number), .real(let seconds), .integer(let code)) = (row[0], row[1], row[2]),
      let state = State(rawValue: code)
    else { return nil }
    var id: MutationID?
    if case (.text(let client), .integer(let number)) = (row[3], row[4]) {
      id = MutationID(client: client, number: number)
    }
    var shown: OutboxEntry.State = state == .accepted ? .accepted : .waiting
    if state == .parked, case (.text(let kind), .text(let message)) = (row[5], row[6]) {
      var change: Int?
      if case .integer(let place) = row[7] { change = Int(place) }
      shown = .parked(
        MutationRejection(.init(rawValue: kind) ?? .constraint, message: message, change: change))
    }
    return Stored(
      entry: OutboxEntry(
        id: number, enqueuedAt: Date(timeIntervalSince1970: seconds),
        changes: try mutations(of: number, in: transaction), state: shown),
      state: state, id: id)
  }

  private static func mutations(
    of entry: Int64, in transaction: StoreReadTransaction
  ) throws -> [RowMutation] {
    let found = try transaction.rows(
      prepared:
        "SELECT place, part, name, value FROM \(values) WHERE entry = ? ORDER BY place, nth",
      [.integer(entry)])
    var keys: [StoredValue: [StoredValue]] = [:]
    var sets: [StoredValue: [String: StoredValue]] = [:]
    for row in found {
      if row[1] == .text(Part.key.rawValue) {
        keys[row[0], default: []].append(row[3])
      } else if case .text(let name) = row[2] {
        sets[row[0], default: [:]][name] = row[3]
      }
    }
    return try transaction.rows(
      prepared:
        "SELECT place, verb, table_name, revision FROM \(changes) WHERE entry = ? ORDER BY place",
      [.integer(entry)]
    ).compactMap { row in
      guard case (.text(let text), .text(let table)) = (row[1], row[2]),
        let verb = Verb(rawValue: text)
      else { return nil }
      let (key, set) = (keys[row[0]] ?? [], sets[row[0]] ?? [:])
      var revision: Int64?
      if case .integer(let seen) = row[3] { revision = seen }
      switch verb {
      case .insert: return .insert(table: table, values: set)
      case .update: return .update(table: table, key: key, revision: revision, values: set)
      case .delete: return .delete(table: table, key: key, revision: revision)
      }
    }
  }
}
