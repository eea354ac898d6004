internal import SectileCore
internal import SectileStore

/// Which changes of the outbox are made upon rows that an earlier entry leaves, as long as nobody
/// knows in which state.
///
/// When the earlier entry comes back with the hub's rows, they tell it, and the change is sent for
/// that state and no other: what somebody else did to the row in between is a conflict. Where the
/// earlier entry is refused, what is made upon it is refused as well.
enum OutboxBases {
  /// A change that waits for an earlier entry.
  struct Dependent {
    let entry: OutboxEntry.ID
    let place: Int64
  }

  /// How an entry stands with those that it is made upon.
  enum Standing {
    /// It may be sent.
    case free
    /// One of them has not come back yet.
    case waits
    /// One of them is gone, and nobody knows which state of the row it left.
    case lost
  }

  static let name = "sectile_outbox_base"

  static let statements = """
    CREATE TABLE IF NOT EXISTS \(name) (
      entry INTEGER, place INTEGER, base INTEGER NOT NULL, PRIMARY KEY (entry, place)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS \(name)_base ON \(name) (base);
    """

  static func add(
    _ base: OutboxEntry.ID, ofChange place: Int64, of entry: OutboxEntry.ID,
    in transaction: StoreTransaction
  ) throws {
    try transaction.run(
      prepared: "INSERT INTO \(name) VALUES (?, ?, ?)",
      [.integer(entry), .integer(place), .integer(base)])
  }

  /// Forgets what an entry is made upon; what is made upon it stays.
  static func remove(of entry: OutboxEntry.ID, in transaction: StoreTransaction) throws {
    try transaction.run(prepared: "DELETE FROM \(name) WHERE entry = ?", [.integer(entry)])
  }

  private static func remove(_ dependent: Dependent, in transaction: StoreTransaction) throws {
    try transaction.run(
      prepared: "DELETE FROM \(name) WHERE entry = ? AND place = ?",
      [.integer(dependent.entry), .integer(dependent.place)])
  }

  // MARK: - Reading

  /// The changes that are made upon an entry.
  static func dependents(
    on base: OutboxEntry.ID, in transaction: StoreReadTransaction
  ) throws -> [Dependent] {
    try transaction.rows(
      prepared: "SELECT entry, place FROM \(name) WHERE base = ? ORDER BY entry, place",
      [.integer(base)]
    ).compactMap { row in
      guard case (.integer(let entry), .integer(let place)) = (row[0], row[1]) else { return nil }
      return Dependent(entry: entry, place: place)
    }
  }

  /// How an entry stands with those that it is made upon.
  static func standing(
    of entry: OutboxEntry.ID, in transaction: StoreReadTransaction
  ) throws -> Standing {
    let bases = try transaction.rows(
      prepared: "SELECT DISTINCT base FROM \(name) WHERE entry = ?", [.integer(entry)])
    if bases.isEmpty { return .free }
    for case .integer(let base)? in bases.map(\.first) {
      guard let stored = try OutboxTables.stored(base, in: transaction), stored.state != .parked
      else { return .lost }
    }
    return .waits
  }

  // MARK: - What the hub answers

  /// Has changes be for the states of rows that an entry left, as the hub's transaction tells them.
  static func settle(
    _ base: OutboxEntry.ID, by transaction: HubTransaction, _ tables: [String: SyncedTable],
    in local: StoreTransaction
  ) throws {
    let dependents = try dependents(on: base, in: local)
    guard !dependents.isEmpty else { return }
    for dependent in dependents {
      guard let stored = try OutboxTables.stored(dependent.entry, in: local),
        stored.entry.changes.indices.contains(Int(dependent.place)),
        let (table, key) = stored.entry.changes[Int(dependent.place)].target,
        let described = tables[table],
        let revision = transaction.revision(of: key, in: described)
      else { continue }
      try OutboxTables.setRevision(
        revision, ofChange: dependent.place, of: dependent.entry, in: local)
      try remove(dependent, in: local)
    }
  }

  /// Parks what is made upon an entry that the hub will not have, and what is made upon that.
  ///
  /// - Returns: What was parked, in order.
  static func park(
    dependentsOn base: OutboxEntry.ID, in transaction: StoreTransaction
  ) throws -> [OutboxEntry] {
    var parked: [OutboxEntry] = []
    var bases = [base]
    while let base = bases.popLast() {
      for dependent in try dependents(on: base, in: transaction) {
        if let entry = try park(dependent.entry, place: dependent.place, in: transaction) {
          parked.append(entry)
          bases.append(entry.id)
        }
      }
    }
    return parked.sorted { $0.id < $1.id }
  }

  /// Parks an entry that waits, because of what one of its changes is made upon.
  ///
  /// - Returns: The entry as it is then; nil where it does not wait.
  static func park(
    _ entry: OutboxEntry.ID, place: Int64? = nil, in transaction: StoreTransaction
  ) throws -> OutboxEntry? {
    guard let stored = try OutboxTables.stored(entry, in: transaction), stored.state == .waiting
    else { return nil }
    let rejection = MutationRejection(
      .dependsOn, message: "what it was made upon is not at the hub as it was here",
      change: place.map { Int($0) })
    try OutboxTables.park(entry, for: rejection, in: transaction)
    try remove(of: entry, in: transaction)
    return try OutboxTables.stored(entry, in: transaction)?.entry
  }
}

extension RowMutation {
  /// The row that is there already which it changes; nil for an insert.
  var target: (table: String, key: [StoredValue])? {
    switch self {
    case .insert: nil
    case .update(let table, let key, _, _), .delete(let table, let key, _): (table, key)
    }
  }
}

extension HubTransaction {
  /// The revision that the transaction left in a row; nil where it did not write it.
  fileprivate func revision(of key: [StoredValue], in table: SyncedTable) -> Int64? {
    guard
      let place = table.columns.firstIndex(where: { $0.name == SyncedTable.revisionColumn })
    else { return nil }
    for change in changes.reversed() where change.table == table.name {
      let row: [StoredValue?]
      switch change {
      case .insert(_, let values): row = values
      case .update(_, _, let values): row = values
      case .delete(_, let gone) where gone == key: return nil
      case .delete, .truncate: continue
      }
      guard table.keyPositions.map({ row[$0] }) == key.map(Optional.some) else { continue }
      if case .integer(let revision)? = row[place] { return revision }
    }
    return nil
  }
}
