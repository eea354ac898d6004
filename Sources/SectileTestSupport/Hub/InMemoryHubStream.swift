internal import SectileCore
internal import SectileHub
internal import Synchronization

/// The commits of a hub in memory, as they come.
final class InMemoryHubStream: HubStream {
  private let hub: InMemoryHub
  private let replica: String
  private let connection: Int
  private let views: [String: InMemoryTableView]

  // MARK: - Mutable state
  //
  // - `place`: up to where the log was read; guarded by its mutex.
  private let place: Mutex<HubPosition>

  init(
    _ hub: InMemoryHub, _ replica: String, after position: HubPosition, connection: Int,
    _ views: [String: InMemoryTableView]
  ) {
    (self.hub, self.replica, self.connection, self.views) = (hub, replica, connection, views)
    place = Mutex(position)
  }

  func next(limit: Int) async throws -> [HubMessage] {
    let after = place.withLock { $0 }
    let connection = connection
    await hub.wait { state in
      state.connection != connection || !state.isReachable || state.position > after
    }
    try Task.checkCancellation()
    let views = views
    let messages = try hub.change { state throws(HubError) in
      try state.check(connection)
      if state.random.chance(state.faults.brokenStream) { throw InMemoryHubState.lost }
      let entries = state.log.filter { $0.position > after }.prefix(limit)
      return entries.map { state.message($0, views) }
    }
    if case .transaction(let last)? = messages.last { place.withLock { $0 = last.position } }
    if case .keepAlive(let position)? = messages.last { place.withLock { $0 = position } }
    return messages
  }

  func confirm(_ position: HubPosition) async throws {
    let (connection, replica) = (connection, replica)
    try hub.change { state throws(HubError) in
      try state.check(connection)
      guard !state.random.chance(state.faults.lostConfirmation) else { return }
      let confirmed = state.slots[replica]?.confirmed ?? .zero
      state.slots[replica]?.confirmed = max(confirmed, position)
    }
  }

  func close() async {}
}

extension InMemoryHubState {
  fileprivate func check(_ connection: Int) throws(HubError) {
    try checkReachable()
    if connection != self.connection { throw Self.lost }
  }

  /// A commit as a replica is told of it.
  fileprivate mutating func message(
    _ entry: Entry, _ views: [String: InMemoryTableView]
  ) -> HubMessage {
    var changes: [HubChange] = []
    for change in entry.changes {
      guard let view = views[change.table] else { continue }
      if change.isTruncation {
        if changes.last != .truncate(table: change.table) {
          changes.append(.truncate(table: change.table))
        }
        continue
      }
      if let change = told(change, view) { changes.append(change) }
    }
    if changes.isEmpty && entry.controlRecords.isEmpty { return .keepAlive(entry.position) }
    return .transaction(
      HubTransaction(
        position: entry.position, changes: changes, controlRecords: entry.controlRecords))
  }

  private mutating func told(_ change: RowChange, _ view: InMemoryTableView) -> HubChange? {
    let table = view.table
    switch (change.old.flatMap(view.show), change.new.flatMap(view.show)) {
    case (nil, nil): return nil
    case (nil, let new?): return .insert(table: table.name, row: new)
    case (let old?, nil): return .delete(table: table.name, key: table.key(of: old))
    case (let old?, let new?):
      let (oldKey, newKey) = (table.key(of: old), table.key(of: new))
      var told: [StoredValue?] = new
      for index in new.indices where new[index] == old[index] && !table.keyPositions.contains(index)
      {
        if random.chance(faults.leftOutValue) { told[index] = nil }
      }
      return .update(table: table.name, key: oldKey == newKey ? nil : oldKey, row: told)
    }
  }
}
