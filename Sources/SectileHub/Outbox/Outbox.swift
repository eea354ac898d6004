internal import SectileCore
internal import SectileStore

/// What a replica shows beside the hub's rows: the changes of its own that the hub has not answered
/// yet.
///
/// A transaction of the hub is applied in one of the replica: where entries show something else
/// than rows that the hub changes, these entries, and those that touch rows in common with them,
/// are taken back; the hub's changes are made, what they answer leaves the outbox, and the rest of
/// those entries is shown again. Live results tell the net effect, so that nobody sees a row vanish
/// on its way to the hub and back.
///
/// What is not said otherwise is called in transactions that may write to the hub's tables.
struct Outbox {
  private static let pending: [OutboxTables.State] = [.waiting, .sent, .accepted]

  private let tables: [String: SyncedTable]

  init(_ tables: [SyncedTable]) {
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }

  /// Takes an entry back, changes it, and shows what hangs together with it, in a transaction that
  /// may not write to the hub's tables otherwise.
  func change(
    _ entry: OutboxEntry.ID, in transaction: StoreTransaction, _ body: () throws -> Void
  ) throws {
    try ReplicaTables.open(in: transaction)
    let entries = try takeBack([entry], [], in: transaction)
    try body()
    try show(entries, in: transaction)
    try ReplicaTables.shut(in: transaction)
  }

  // MARK: - Taking back

  /// Has the tables show what the hub has confirmed, where its changes, or what they settle, touch
  /// what is shown.
  ///
  /// - Returns: The entries that are to be shown again, as far as they stay.
  func takeBack(
    touching changes: some Sequence<HubChange>, _ settled: [OutboxEntry.ID],
    in transaction: StoreTransaction
  ) throws -> [OutboxEntry.ID] {
    let shown = try WaitingRows.tables(among: tables.keys, in: transaction)
    guard !shown.isEmpty else { return [] }
    var rows: Set<WaitingRows.Row> = []
    for change in changes where shown.contains(change.table) {
      guard let table = tables[change.table] else { continue }
      let confirmed = ConfirmedRows(table)
      switch change {
      case .truncate: rows.formUnion(try WaitingRows.rows(of: table.name, in: transaction))
      case .insert, .update, .delete:
        for key in change.keys(in: table) {
          if let row = try confirmed.row(of: key, in: transaction) { rows.insert(row) }
        }
      }
    }
    return try takeBack(settled, rows, in: transaction)
  }

  /// Has the tables show what the hub has confirmed.
  func takeBackAll(in transaction: StoreTransaction) throws {
    let rows = try tables.keys.flatMap { try WaitingRows.rows(of: $0, in: transaction) }
    _ = try takeBack([], rows, in: transaction)
  }

  private func takeBack(
    _ entries: [OutboxEntry.ID], _ rows: some Sequence<WaitingRows.Row>,
    in transaction: StoreTransaction
  ) throws -> [OutboxEntry.ID] {
    let group = try WaitingRows.group(of: entries, rows, in: transaction)
    for row in group.rows {
      guard let table = tables[row.table] else { continue }
      try ConfirmedRows(table).putBack(row, in: transaction)
    }
    try WaitingRows.remove(group, in: transaction)
    return group.entries.sorted()
  }

  // MARK: - Showing

  /// Shows what the hub has not answered of all entries.
  func showAll(in transaction: StoreTransaction) throws {
    try show(
      OutboxTables.stored(Self.pending, in: transaction).map(\.entry.id), in: transaction)
  }

  /// Shows what the hub has not answered of some entries, as far as it fits what the hub has done
  /// meanwhile.
  ///
  /// What does not fit is left to the hub, which will refuse it.
  ///
  /// - Parameters:
  ///   - entries: Which ones, in order; none of them is shown, nor one that touches a row of
  ///     theirs.
  ///   - transaction: The transaction.
  /// - Throws: `StoreError`.
  func show(_ entries: [OutboxEntry.ID], in transaction: StoreTransaction) throws {
    for id in entries {
      guard let stored = try OutboxTables.stored(id, in: transaction),
        Self.pending.contains(stored.state)
      else { continue }
      do {
        try show(stored.entry.changes, of: id, in: transaction)
      } catch is Unfit {}
    }
  }

  /// That a change does not fit the rows.
  struct Unfit: Error {
    let rejection: MutationRejection
  }

  /// Makes the changes of an entry, all or none.
  ///
  /// - Throws: ``Unfit``; `StoreError`.
  func show(
    _ changes: [RowMutation], of entry: OutboxEntry.ID, in transaction: StoreTransaction
  ) throws {
    // Also where they do not fit: they may when one of the rows has changed.
    for change in changes {
      guard let table = tables[change.table] else { continue }
      for key in change.keys(in: table) {
        try ConfirmedRows(table).keep(key, for: entry, in: transaction)
      }
    }
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
    guard !change.keys(in: table).isEmpty else { return "\(table.name) has another key now" }
    let statements = TableStatements(table)
    switch change {
    case .insert(_, let values):
      let values = table.localValues(values)
      let row = table.columns.map { column in
        // Rows have a revision when the hub has them.
        values[column.name] ?? (column.name == SyncedTable.revisionColumn ? .integer(0) : .null)
      }
      return try run(statements.insert, row, in: transaction).problem
    case .update(_, let key, _, let values):
      let values = table.localValues(values)
      let positions = table.columns.indices.filter { values[table.columns[$0].name] != nil }
      guard !positions.isEmpty else { return nil }
      let bound = positions.compactMap { values[table.columns[$0].name] } + key
      let result = try run(statements.update(positions), bound, in: transaction)
      return result.problem ?? (result.count == 0 ? "there is no such row" : nil)
    case .delete(_, let key, _):
      try transaction.run(prepared: statements.delete, key)
      return nil
    }
  }

  /// Runs a statement: how many rows it changed, or why SQLite refused the row.
  private func run(
    _ sql: String, _ values: [StoredValue], in transaction: StoreTransaction
  ) throws -> (count: Int, problem: String?) {
    do {
      return (try transaction.run(prepared: sql, values), nil)
    } catch {
      switch error.code {
      case .uniqueConstraint: return (0, "the key is taken")
      // What is no integer in a key of integers.
      case .statementFailed: return (0, error.message)
      default: throw error
      }
    }
  }

  // MARK: - What the hub answers

  /// The entries that have come back with the hub's rows.
  func settled(
    by outcomes: [MutationReceipt], in transaction: StoreReadTransaction
  ) throws -> [OutboxEntry.ID] {
    try outcomes.flatMap { try OutboxTables.settled(by: $0, in: transaction) }
  }

  /// Has what is made upon an entry be for the state of the rows in which the entry left them,
  /// which comes with it.
  func settleBases(by transaction: HubTransaction, in local: StoreTransaction) throws {
    for record in transaction.controlRecords.outcomes where record.isApplied {
      guard let entry = try OutboxTables.entry(sentAs: record.id, in: local) else { continue }
      try OutboxBases.settle(entry, by: transaction, tables, in: local)
    }
  }

  /// Takes entries out that are not shown.
  func remove(_ entries: [OutboxEntry.ID], in transaction: StoreTransaction) throws {
    for entry in entries { try OutboxTables.remove(entry, in: transaction) }
  }

  /// Takes out what is in all rows of the hub, and has the rest be sent anew where the hub has lost
  /// it.
  ///
  /// - Parameters:
  ///   - outcomes: The last one of each client that the hub knows.
  ///   - transaction: The transaction.
  /// - Throws: `StoreError`.
  func settleAll(_ outcomes: [MutationReceipt], in transaction: StoreTransaction) throws {
    try remove(settled(by: outcomes, in: transaction), in: transaction)
    let lost = try OutboxTables.stored([.accepted], in: transaction).compactMap(\.id).filter { id in
      !outcomes.contains { $0.id.client == id.client && $0.id.number >= id.number }
    }
    for client in Set(lost.map(\.client)) {
      try OutboxClients.forget(client, in: transaction)
    }
  }
}

extension HubChange {
  /// The keys that it touches.
  fileprivate func keys(in table: SyncedTable) -> [[StoredValue]] {
    switch self {
    case .insert(_, let row): [table.key(of: row)]
    case .update(_, let key, let row):
      [key, table.keyPositions.map { row[$0] }.wholeKey].compactMap(\.self)
    case .delete(_, let key): [key]
    case .truncate: []
    }
  }
}

extension RowMutation {
  /// The keys that it touches; none where the table has another key than it says.
  func keys(in table: SyncedTable) -> [[StoredValue]] {
    switch self {
    case .insert(_, let values): [table.key.map { values[$0] }.wholeKey].compactMap(\.self)
    case .update(_, let key, _, let values):
      key.count == table.key.count ? [key, zip(table.key, key).map { values[$0] ?? $1 }] : []
    case .delete(_, let key, _): key.count == table.key.count ? [key] : []
    }
  }
}

extension [StoredValue?] {
  /// The values; nil where one is missing.
  fileprivate var wholeKey: [StoredValue]? {
    let values = compactMap(\.self)
    return values.count == count ? values : nil
  }
}
