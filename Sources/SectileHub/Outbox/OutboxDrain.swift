internal import SectileCore
internal import SectileStore

/// Sends the outbox of a replica's file to the hub, entry after entry, for the one process that follows the hub.
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
  /// - Returns: Whether there was one.
  private func sendNext() async throws -> Bool {
    guard let mutation = try await next() else { return false }
    do {
      try await finish(mutation.entry, mutation.mutation.id, await sink.perform(mutation.mutation))
    } catch let error as HubError where error.isAboutNumber {
      // The hub has lost what it had decided, or the file was put back to an older state.
      try await store.write { try OutboxTables.beginNewClient(in: $0) }
    }
    return true
  }

  private func next() async throws -> (entry: OutboxEntry, mutation: Mutation)? {
    let first = try await store.read { try OutboxTables.next(in: $0) }
    guard let first else { return nil }
    let id: MutationID
    if let known = first.id {
      id = known
    } else {
      // It is numbered before it is sent, so that it is sent under the same number whatever happens meanwhile.
      id = try await store.write(author: Self.author) { transaction in
        try OutboxTables.number(first.entry.id, in: transaction)
      }
    }
    return (first.entry, Mutation(id: id, changes: first.entry.changes))
  }

  private func finish(
    _ entry: OutboxEntry, _ id: MutationID, _ outcome: MutationOutcome
  ) async throws {
    let outbox = Outbox(tables)
    switch outcome {
    case .applied:
      try await store.write(author: Self.author) { transaction in
        // A file that was put back asks again for what the hub's rows have had since they were compared.
        guard try ReplicaTables.lastNumber(of: id.client, in: transaction) < id.number else {
          return try outbox.change(entry.id, in: transaction) {
            try OutboxTables.remove(entry.id, in: transaction)
          }
        }
        try OutboxTables.setState(.accepted, of: entry.id, in: transaction)
      }
    case .rejected(let rejection):
      try await store.write(author: Self.author) { transaction in
        try outbox.change(entry.id, in: transaction) {
          try OutboxTables.park(entry.id, for: rejection, in: transaction)
        }
      }
      board.noteRejection()
      board.tell(
        .parked(
          OutboxEntry(
            id: entry.id, enqueuedAt: entry.enqueuedAt, changes: entry.changes,
            state: .parked(rejection))))
    }
  }

  private static let author = "outbox"
}
