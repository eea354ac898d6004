internal import SectileCore
internal import SectileStore

/// Does to a replica's rows what transactions of the hub did to the hub's.
struct TransactionApplier: Sendable {
  /// That a change does not fit the rows that are there.
  struct Divergence: Error {
    /// What does not fit.
    let problem: String
  }

  private let statements: [String: TableStatements]
  private let outbox: Outbox

  /// Creates an applier for the tables that a replica has.
  init(_ tables: [SyncedTable]) {
    outbox = Outbox(tables)
    statements = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, TableStatements($0)) })
  }

  /// Applies transactions of the hub in one transaction of the replica, which stands at a token
  /// then.
  ///
  /// - Returns: How many rows were changed.
  /// - Throws: ``Divergence``; `StoreError`.
  func apply(
    _ transactions: [HubTransaction], reaching token: HubToken, in local: StoreTransaction
  ) throws -> Int {
    var controlRecords = HubControlRecords()
    for transaction in transactions { controlRecords.add(transaction.controlRecords) }
    var rowCount = 0
    try ReplicaTables.open(in: local)
    for transaction in transactions { try outbox.settleBases(by: transaction, in: local) }
    let settled = try outbox.settled(by: controlRecords.outcomes, in: local)
    let entries = try outbox.takeBack(
      touching: transactions.lazy.flatMap(\.changes), settled, in: local)
    try outbox.remove(settled, in: local)
    for transaction in transactions {
      for change in transaction.changes {
        do {
          rowCount += try apply(change, in: local)
        } catch let error as StoreError where error.code == .uniqueConstraint {
          throw Divergence(problem: "\(change.table) has a row already where one was put")
        }
      }
    }
    try outbox.show(entries, in: local)
    try ReplicaTables.close(at: token, controlRecords, in: local)
    return rowCount
  }

  private func apply(_ change: HubChange, in local: StoreTransaction) throws -> Int {
    guard let statements = statements[change.table] else {
      throw Divergence(problem: "there is no table \(change.table)")
    }
    switch change {
    case .insert(_, let row): return try local.run(prepared: statements.insert, row)
    case .update(_, let key, let row): return try update(key, row, statements, in: local)
    case .delete(_, let key):
      return try changed(local.run(prepared: statements.delete, key), "deleted", change.table)
    case .truncate: return try local.run(prepared: statements.truncate)
    }
  }

  private func update(
    _ key: [StoredValue]?, _ row: [StoredValue?], _ statements: TableStatements,
    in local: StoreTransaction
  ) throws -> Int {
    // A key is never left out as a large value may be: it could not be indexed.
    let key =
      try key
      ?? statements.keyPositions.map { position in
        guard let value = row[position] else {
          throw Divergence(problem: "\(statements.table.name): an update does not say of which row")
        }
        return value
      }
    let positions = row.indices.filter { row[$0] != nil }
    let values = row.compactMap(\.self) + key
    return try changed(
      local.run(prepared: statements.update(positions), values), "updated", statements.table.name)
  }

  private func changed(_ count: Int, _ verb: String, _ table: String) throws -> Int {
    guard count == 1 else { throw Divergence(problem: "\(table) has no row to be \(verb)") }
    return count
  }
}

extension HubControlRecords {
  /// Adds what was said later: of each client, and of all else, only the last word counts.
  mutating func add(_ later: HubControlRecords) {
    for record in later.outcomes {
      outcomes.removeAll { $0.id.client == record.id.client }
      outcomes.append(record)
    }
    heartbeat = later.heartbeat ?? heartbeat
    schemaVersions = later.schemaVersions ?? schemaVersions
  }
}
