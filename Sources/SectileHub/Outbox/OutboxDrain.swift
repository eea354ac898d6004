internal import SectileCore
internal import SectileStore

/// Sends the outbox of a replica's file to the hub, entry after entry, for the one process that
/// follows the hub.
struct OutboxDrain: Sendable {
  let store: Store
  let sink: any MutationSink
  let tables: [SyncedTable]
  let configuration: ReplicaConfiguration
  let board: StatusBoard

  /// Sends until the task is cancelled.
  func run() async {
    let (commits, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let listening = store.listenForCommits { continuation.yield() }
    var delay = configuration.retryDelays.lowerBound
    while !Task.isCancelled {
      do {
        while try await sendNext() {
          delay = configuration.retryDelays.lowerBound
        }
        // Word of commits of other processes may get lost.
        let timer = Task {
          try await Task.sleep(for: .seconds(1))
          continuation.yield()
        }
        for await _ in commits { break }
        timer.cancel()
      } catch {
        try? await Task.sleep(for: delay)
        delay = min(delay * 2, configuration.retryDelays.upperBound)
      }
    }
    withExtendedLifetime(listening) {}
  }

  /// Sends the first entry that waits, and notes what became of it.
  ///
  /// - Returns: Whether there was one that need not wait for the hub's rows.
  private func sendNext() async throws -> Bool {
    let found = try await store.read { transaction in
      try OutboxTables.next(in: transaction).map { stored in
        (stored, try OutboxBases.standing(of: stored.entry.id, in: transaction))
      }
    }
    guard let (first, standing) = found else { return false }
    switch standing {
    case .waits: return false
    case .lost: try await parkLost(first.entry.id)
    case .free:
      let mutation = Mutation(id: try await id(of: first), changes: first.entry.changes)
      do {
        try await finish(first.entry, mutation.id, await sink.perform(mutation))
      } catch let error as HubError where error.isAboutNumber {
        // The hub has lost what it had decided, or the file was put back to an older state.
        try await store.write { try OutboxTables.beginNewClient(in: $0) }
      }
    }
    return true
  }

  private func id(of stored: OutboxTables.Stored) async throws -> MutationID {
    if let known = stored.id { return known }
    // It is numbered before it is sent, so that it is sent under the same number whatever happens
    // meanwhile.
    return try await store.write(author: Self.author) { transaction in
      try OutboxTables.number(stored.entry.id, in: transaction)
    }
  }

  /// Parks an entry of which nobody knows any more which state of the hub's row it is for.
  private func parkLost(_ entry: OutboxEntry.ID) async throws {
    let outbox = Outbox(tables)
    let parked = try await store.write(author: Self.author) { transaction in
      var parked: [OutboxEntry] = []
      try outbox.change(entry, in: transaction) {
        if let first = try OutboxBases.park(entry, in: transaction) { parked.append(first) }
        parked += try OutboxBases.park(dependentsOn: entry, in: transaction)
      }
      return parked
    }
    for entry in parked { board.notePark(of: entry) }
  }

  private func finish(
    _ entry: OutboxEntry, _ id: MutationID, _ outcome: MutationResult
  ) async throws {
    let outbox = Outbox(tables)
    switch outcome {
    case .applied:
      try await store.write(author: Self.author) { transaction in
        // A file that was put back asks again for what the hub's rows have had since they were
        // compared.
        guard try ReplicaTables.lastNumber(of: id.client, in: transaction) < id.number else {
          return try outbox.change(entry.id, in: transaction) {
            try OutboxTables.remove(entry.id, in: transaction)
          }
        }
        try OutboxTables.setState(.accepted, of: entry.id, in: transaction)
      }
    case .rejected(let rejection):
      let dependents = try await store.write(author: Self.author) { transaction in
        var parked: [OutboxEntry] = []
        try outbox.change(entry.id, in: transaction) {
          try OutboxTables.park(entry.id, for: rejection, in: transaction)
          parked = try OutboxBases.park(dependentsOn: entry.id, in: transaction)
        }
        return parked
      }
      let known = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
      let refused = OutboxEntry(
        id: entry.id, enqueuedAt: entry.enqueuedAt, changes: entry.changes,
        state: .parked(rejection.localized(for: entry.changes, of: known)))
      for entry in [refused] + dependents { board.notePark(of: entry) }
    }
  }

  private static let author = "outbox"
}
