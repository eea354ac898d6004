internal import SectileCore
internal import SectileStore

/// What a replica shows beside the hub's rows: the changes of its own that the hub has not answered yet.
///
/// A transaction of the hub is applied in one of the replica: the confirmed rows are put back, the hub's changes are made, what
/// they answer leaves the outbox, and the rest is shown again. Live results tell the net effect, so that nobody sees a row
/// vanish on its way to the hub and back.
///
/// What is not said otherwise is called in transactions that may write to the hub's tables.
struct Outbox {
  private static let pending: [OutboxTables.State] = [.waiting, .sent, .accepted]

  private let tables: [String: SyncedTable]

  init(_ tables: [SyncedTable]) {
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }

  /// Changes the outbox, and has the tables show what is in it then; in a transaction that may not write to them otherwise.
  func change(in transaction: StoreTransaction, _ body: () throws -> Void) throws {
    try ReplicaTables.open(in: transaction)
    try takeBack(in: transaction)
    try body()
    try show(in: transaction)
    try ReplicaTables.shut(in: transaction)
  }

  /// Has the tables show what the hub has confirmed.
  func takeBack(in transaction: StoreTransaction) throws {
    for name in try ConfirmedRows.shownTables(in: transaction) {
      if let table = tables[name] { try ConfirmedRows(table).putBack(in: transaction) }
    }
  }

  /// Shows what the hub has not answered, as far as it fits what the hub has done meanwhile.
  ///
  /// What does not fit is left to the hub, which will refuse it.
  func show(in transaction: StoreTransaction) throws {
    for stored in try OutboxTables.stored(Self.pending, in: transaction) {
      do {
        try show(stored.entry.changes, in: transaction)
      } catch is Unfit {}
    }
  }

  /// That a change does not fit the rows.
  struct Unfit: Error {
    let rejection: MutationRejection
  }

  /// Makes changes, all or none.
  ///
  /// - Throws: ``Unfit``; ``StoreError``.
  func show(_ changes: [RowMutation], in transaction: StoreTransaction) throws {
    try transaction.savepoint {
      for (place, change) in changes.enumerated() {
        if let problem = try make(change, in: transaction) {
          throw Unfit(rejection: MutationRejection(.conflict, message: problem, change: place))
        }
      }
    }
  }

  /// Makes a change; returns why not, where it does not fit.
  private func make(_ change: RowMutation, in transaction: StoreTransaction) throws -> String? {
    guard let table = tables[change.table] else { return "there is no table \(change.table)" }
    let statements = TableStatements(table)
    let confirmed = ConfirmedRows(table)
    switch change {
    case .insert(_, let values):
      let row = table.columns.map { column in
        // Rows have a revision when the hub has them.
        values[column.name] ?? (column.name == SyncedTable.revisionColumn ? .integer(0) : .null)
      }
      try confirmed.keep(table.key(of: row), in: transaction)
      guard try count(statements.insert, row, in: transaction) != nil else {
        return "the row is there already"
      }
    case .update(_, let key, _, let values):
      let positions = table.columns.indices.filter { values[table.columns[$0].name] != nil }
      guard !positions.isEmpty else { return nil }
      try confirmed.keep(key, in: transaction)
      let newKey = zip(table.key, key).map { values[$0] ?? $1 }
      if newKey != key { try confirmed.keep(newKey, in: transaction) }
      let bound = positions.compactMap { values[table.columns[$0].name] } + key
      switch try count(statements.update(positions), bound, in: transaction) {
      case nil: return "the key is taken"
      case 0?: return "there is no such row"
      default: break
      }
    case .delete(_, let key, _):
      try confirmed.keep(key, in: transaction)
      try transaction.run(prepared: statements.delete, key)
    }
    return nil
  }

  /// How many rows a statement changed; nil where it would have put two of one key.
  private func count(
    _ sql: String, _ values: [StoredValue], in transaction: StoreTransaction
  ) throws -> Int? {
    do {
      return try transaction.run(prepared: sql, values)
    } catch {
      guard error.code == .uniqueConstraint else { throw error }
      return nil
    }
  }

  // MARK: - What the hub answers

  /// Takes out what has come back with the hub's rows.
  func settle(_ outcomes: [MutationRecord], in transaction: StoreTransaction) throws {
    guard !outcomes.isEmpty else { return }
    for stored in try OutboxTables.stored([.sent, .accepted], in: transaction) {
      guard let id = stored.id, outcomes.contains(where: { $0.settles(id) }) else { continue }
      try OutboxTables.remove(stored.entry.id, in: transaction)
    }
  }

  /// Takes out what is in all rows of the hub, and has the rest be sent anew where the hub has lost it.
  ///
  /// - Parameters:
  ///   - outcomes: The last one of each client that the hub knows.
  ///   - transaction: The transaction.
  /// - Throws: ``StoreError``.
  func settleAll(_ outcomes: [MutationRecord], in transaction: StoreTransaction) throws {
    try settle(outcomes, in: transaction)
    let isLost = try OutboxTables.stored([.accepted], in: transaction).contains { stored in
      !outcomes.contains {
        $0.id.client == stored.id?.client && $0.id.number >= stored.id?.number ?? 0
      }
    }
    if isLost { try OutboxTables.beginNewClient(in: transaction) }
  }
}

extension MutationRecord {
  /// Whether a mutation is among the hub's rows where this was the client's last word: the next is sent when the one before
  /// it is decided, so that one with a smaller number which still waits for its rows was performed.
  fileprivate func settles(_ other: MutationID) -> Bool {
    id.client == other.client
      && (id.number > other.number || (id.number == other.number && isApplied))
  }
}
