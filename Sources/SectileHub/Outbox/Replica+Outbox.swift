internal import SectileCore
internal import SectileStore

extension Replica {
  /// Has the hub change rows as soon as it can be reached, and shows the change at once.
  ///
  /// ```swift
  /// configuration.offlineTables = ["parcel"]
  /// …
  /// try await replica.enqueue { changes in
  ///   try changes.update("parcel", key: 7, set: ["state": "delivered"])
  /// }
  /// ```
  ///
  /// The replica's rows have the change when this returns, also where the hub cannot be reached; it
  /// is kept in the file until the hub has answered, and sent by whichever process follows the hub.
  /// What the hub says then corrects the rows, as an exact changeset: where it refuses the change,
  /// the rows do not show it any more, and the entry is parked with the reason (``outbox()``,
  /// ``ReplicaEvent/parked(_:)``).
  ///
  /// Entries are sent in their order, each in a transaction of its own. A change of a row for which
  /// another entry waits is for the state that this one leaves: it is sent when that one has come
  /// back, and where that one is refused or discarded, it is parked as well
  /// (``MutationRejection/Kind/dependsOn``). Any other is for the state that the replica had seen,
  /// as with ``write(until:_:)``. With `ifRevision: .any` a change is for any state.
  ///
  /// - Parameter body: Says what to change, in tables of ``ReplicaConfiguration/offlineTables``; it
  ///   sees the replica's rows as they are now. New rows need a value for each column that may not
  ///   be NULL, since what the hub has for it is not known here; a key of the hub's is taken from
  ///   those that ``reserveKeys(of:count:)`` has the file keep.
  /// - Returns: The entry's number; nil where `body` changes nothing.
  /// - Throws: What `body` throws. ``HubError``: `notOffline` for another table;
  ///   `invalidSubscription` for a new row that lacks a value; `keysUsedUp` for one without a key
  ///   where none of the hub's is left; `unsupportedValue` for a value that replicas cannot have;
  ///   `rejected` where the change does not fit the rows that the replica has; `StoreError`.
  @discardableResult
  public func enqueue(
    _ body: @Sendable (inout MutationDraft) throws -> Void
  ) async throws -> OutboxEntry.ID? {
    let offline = configuration.offlineTables
    return try await store.write { transaction in
      var draft = try MutationDraft(transaction)
      try body(&draft)
      guard !draft.changes.isEmpty else { return nil }
      let tables = try ReplicaTables.syncedTables(in: transaction)
      let changes = try draft.changes.map { change in
        try change.completed(in: tables, transaction).offline(in: tables, allowing: offline)
      }
      let bases = try changes.map { try $0.base(in: tables, transaction) }
      let number = try OutboxTables.append(changes, in: transaction)
      for case (let place, let base?) in bases.enumerated() {
        try OutboxBases.add(base, ofChange: Int64(place), of: number, in: transaction)
      }
      try ReplicaTables.open(in: transaction)
      do {
        try Outbox(tables).show(changes, of: number, in: transaction)
      } catch let unfit as Outbox.Unfit {
        throw HubError(
          .rejected, message: "The change does not fit the rows here: \(unfit.rejection.message)",
          rejection: unfit.rejection)
      }
      try ReplicaTables.shut(in: transaction)
      return number
    }
  }

  /// The entries that the hub has not answered with its rows, in the order of their numbers, and
  /// those that it has refused.
  ///
  /// - Throws: `StoreError`.
  public func outbox() async throws -> [OutboxEntry] {
    try await store.read { transaction in
      try OutboxTables.stored([.waiting, .sent, .accepted, .parked], in: transaction).map(\.entry)
    }
  }

  /// Takes an entry out of the outbox that was refused, or not sent yet, so that the rows do not
  /// show it any more.
  ///
  /// Entries that were made upon it are parked (``MutationRejection/Kind/dependsOn``).
  ///
  /// - Parameter entry: Its number.
  /// - Returns: Whether it was taken out; false where there is none, or it may have reached the
  ///   hub.
  /// - Throws: `StoreError`.
  @discardableResult
  public func discard(_ entry: OutboxEntry.ID) async throws -> Bool {
    let parked = try await store.write { transaction -> [OutboxEntry]? in
      guard let stored = try OutboxTables.stored(entry, in: transaction),
        [.waiting, .parked].contains(stored.state)
      else { return nil }
      var parked: [OutboxEntry] = []
      try Outbox(ReplicaTables.syncedTables(in: transaction)).change(entry, in: transaction) {
        parked = try OutboxBases.park(dependentsOn: entry, in: transaction)
        try OutboxTables.remove(entry, in: transaction)
      }
      return parked
    }
    for entry in parked ?? [] { board.notePark(of: entry) }
    return parked != nil
  }
}

extension RowMutation {
  /// The change as the outbox takes it.
  fileprivate func offline(
    in tables: [SyncedTable], allowing offline: Set<String>
  ) throws -> RowMutation {
    guard offline.contains(table), let described = tables.first(where: { $0.name == table }) else {
      throw HubError(
        .notOffline, message: "\(table) is not a table that is written to without the hub",
        hint: "Name it in ReplicaConfiguration.offlineTables, or write with Replica.write.")
    }
    let needed = described.columns.filter {
      !$0.isNullable && $0.name != SyncedTable.revisionColumn
    }.map(\.name)
    switch self {
    case .insert(_, let values):
      if let missing = needed.first(where: { values[$0, default: .null] == .null }) {
        throw HubError(
          .invalidSubscription, message: "A new row of \(table) needs a value for \(missing)",
          hint: described.key.contains(missing)
            ? "Where the hub makes it, have keys be kept: Replica.reserveKeys(of:count:)."
            : "What the hub has for it is not known while the row waits.")
      }
      return self
    case .update(_, _, _, let values):
      if let missing = needed.first(where: { values[$0] == .null }) {
        throw HubError(
          .invalidSubscription, message: "A row of \(table) needs a value for \(missing)")
      }
      return self
    case .delete: return self
    }
  }

  /// The entry that leaves the state of the row which the change is for; nil where that is a state
  /// of the hub, or any.
  fileprivate func base(
    in tables: [SyncedTable], _ transaction: StoreReadTransaction
  ) throws -> OutboxEntry.ID? {
    switch self {
    case .insert, .update(_, _, nil, _), .delete(_, _, nil): nil
    case .update(_, let key, _, _), .delete(_, let key, _):
      try tables.first { $0.name == table }
        .flatMap { try ConfirmedRows($0).lastEntry(of: key, in: transaction) }
    }
  }
}
