internal import FoundationEssentials
public import SectileCore
public import SectileHub

/// The way of one replica to a hub in memory: what it follows, and writes to.
public final class InMemoryHubConnection: ReplicationFeed, MutationSink {
  private let hub: InMemoryHub
  private let name: String

  init(_ hub: InMemoryHub, _ name: String) { (self.hub, self.name) = (hub, name) }

  /// Describes tables; see `ReplicationFeed`.
  public func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
    let tables = try hub.change { state throws(HubError) in
      try state.checkReachable()
      return state.tables
    }
    return try subscriptions.map { subscription in
      guard var table = tables.first(where: { $0.name == subscription.name }) else {
        throw HubError(.noSuchTable, message: "The hub has no table \(subscription.name)")
      }
      if let columns = subscription.columns {
        table.columns = try columns.map { name in
          guard let column = table.columns.first(where: { $0.name == name }) else {
            throw HubError(
              .invalidSubscription, message: "\(table.name) has no column \(name)")
          }
          return column
        }
      }
      guard table.key.allSatisfy({ name in table.columns.contains { $0.name == name } }) else {
        throw HubError(.invalidSubscription, message: "the key of \(table.name) is left out")
      }
      if let condition = subscription.condition, hub.conditions[condition] == nil {
        throw HubError(.invalidSubscription, message: "there is no condition '\(condition)'")
      }
      table.condition = subscription.condition
      return table
    }
  }

  /// Says whether a replica may go on; see `ReplicationFeed`.
  public func validate(_ token: HubToken) async throws -> ResumeDecision {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      return state.verdict(on: token, of: name)
    }
  }

  /// Begins to read all rows; see `ReplicationFeed`.
  public func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
    let conditions = hub.conditions
    return try hub.change { state throws(HubError) in
      try state.checkReachable()
      let slot = state.makeSlot(for: name)
      let views = tables.map { InMemoryTableView($0, of: state.table($0.name), conditions) }
      let controlRecords = state.allControlRecords
      let token = HubToken(
        system: state.system, timeline: state.timeline, slot: slot,
        tables: SyncedTable.fingerprint(of: tables), position: state.position,
        heartbeat: controlRecords.heartbeat?.mark, definition: state.definition(of: tables))
      return InMemoryHubSnapshot(
        hub, token: token, controlRecords: controlRecords, connection: state.connection,
        views.map { view in
          (view.table.name, state.sortedRows(of: view.table.name).compactMap(view.show))
        })
    }
  }

  /// Begins to follow commits; see `ReplicationFeed`.
  public func stream(
    after token: HubToken, of tables: [SyncedTable]
  ) async throws -> any HubStream {
    guard SyncedTable.fingerprint(of: tables) == token.tables else {
      throw HubError(.invalidSubscription, message: "the tables are not those of the token")
    }
    let conditions = hub.conditions
    return try hub.change { state throws(HubError) in
      try state.checkReachable()
      if case .resync(let reason) = state.verdict(on: token, of: name) {
        throw HubError(
          .unavailable, message: "the stream cannot begin at \(token.position): \(reason)",
          hint: "validate(_:) tells it before.")
      }
      let views = tables.map { InMemoryTableView($0, of: state.table($0.name), conditions) }
      return InMemoryHubStream(
        hub, name, after: token.position, connection: state.connection,
        Dictionary(uniqueKeysWithValues: views.map { ($0.table.name, $0) }))
    }
  }

  /// Commits a sign of life; see `ReplicationFeed`.
  public func heartbeat() async throws {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      state.beat(at: Date())
    }
  }

  /// Says how the hub stands; see `ReplicationFeed`.
  public func state(of tables: [SyncedTable]) async throws -> HubState {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      return HubState(
        position: state.position, definition: state.definition(of: tables),
        schemaVersions: state.versions)
    }
  }

  /// Performs a mutation; see `MutationSink`.
  public func perform(_ mutation: Mutation) async throws -> MutationResult {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      if state.random.chance(state.faults.lostMutation) { throw InMemoryHubState.lost }
      let outcome = try state.perform(mutation)
      if state.random.chance(state.faults.lostAnswer) { throw InMemoryHubState.lost }
      return outcome
    }
  }

  /// Performs mutations up to the first that gets lost; see `MutationSink`.
  public func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
    var results: [MutationResult] = []
    for mutation in mutations {
      do {
        results.append(try await perform(mutation))
      } catch {
        guard !results.isEmpty else { throw error }
        return results
      }
    }
    return results
  }

  /// Makes keys; see `MutationSink`.
  ///
  /// They are for the last column of the table's key, which holds integers: those that follow the
  /// largest which a row has, or which was made before.
  public func reserveKeys(
    of table: String, count: Int
  ) async throws -> (column: String, values: [StoredValue]) {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      let made = try state.makeKeys(of: table, count: count)
      if state.random.chance(state.faults.lostAnswer) { throw InMemoryHubState.lost }
      return made
    }
  }
}

/// What a replica sees of a table: some columns, some rows.
struct InMemoryTableView: Sendable {
  let table: SyncedTable
  private let positions: [Int]
  private let condition: InMemoryHub.Condition?

  init(_ table: SyncedTable, of whole: SyncedTable?, _ conditions: [String: InMemoryHub.Condition])
  {
    self.table = table
    positions = table.columns.compactMap { column in
      whole?.columns.firstIndex { $0.name == column.name }
    }
    condition = table.condition.flatMap { conditions[$0] }
  }

  /// A row as the replica sees it; nil where it does not.
  func show(_ row: [StoredValue]) -> [StoredValue]? {
    condition?(row) ?? true ? positions.map { row[$0] } : nil
  }
}
