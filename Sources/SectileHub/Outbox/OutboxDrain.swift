internal import SectileCore
internal import SectileStore

/// Sends the outbox of a replica's file to the hub, in the order of the entries, for the one
/// process that follows the hub.
struct OutboxDrain: Sendable {
  /// How many entries are sent at once at most.
  static let batchLimit = 16

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
    var (delay, limit, isSure) = (configuration.retryDelays.lowerBound, 1, false)
    while !Task.isCancelled {
      do {
        sending: while true {
          if !isSure { try await askAgain() }
          isSure = true
          switch try await sendNext(limit) {
          case .nothing: break sending
          case .passed: break
          case .answered: (delay, limit) = (configuration.retryDelays.lowerBound, Self.batchLimit)
          }
        }
        // Word of commits of other processes may get lost.
        let timer = Task {
          try await Task.sleep(for: .seconds(1))
          continuation.yield()
        }
        for await _ in commits { break }
        timer.cancel()
      } catch {
        // What is sent cannot be discarded any more: one entry finds out whether the hub answers.
        (limit, isSure) = (1, false)
        try? await Task.sleep(for: delay)
        delay = min(delay * 2, configuration.retryDelays.upperBound)
      }
    }
    withExtendedLifetime(listening) {}
  }

  /// What became of a turn.
  private enum Turn {
    /// There was nothing to send, or what is next waits for the hub's rows.
    case nothing
    /// What was next is not to be sent any more.
    case passed
    case answered
  }

  /// Has the hub be asked about what it performed, where entries were sent with it of which it said
  /// nothing.
  private func askAgain() async throws {
    let count = try await store.read { try OutboxTables.count([.sent], in: $0) }
    guard count > 0 else { return }
    try await store.write(author: Self.author) { try OutboxClients.askAgain(in: $0) }
  }

  /// Sends the first entries that wait, up to one that has to wait for the hub's rows, and notes
  /// what became of them.
  private func sendNext(_ limit: Int) async throws -> Turn {
    let found = try await store.read { transaction in
      try OutboxTables.next(limit, in: transaction).map { stored in
        (stored, try OutboxBases.standing(of: stored.entry.id, in: transaction))
      }
    }
    guard let (first, standing) = found.first else { return .nothing }
    switch standing {
    case .waits: return .nothing
    case .lost:
      try await parkLost(first.entry.id)
      return .passed
    case .free:
      // Entries get numbers where all that have some are decided (``OutboxClients/number(_:in:)``).
      let isNumbered = first.id != nil
      let free = found.prefix { $0.1 == .free && ($0.0.id != nil) == isNumbered }.map { $0.0 }
      let sendings = try await numbered(free)
      guard let entry = sendings.first?.entry.id else { return .passed }
      do {
        let outcomes = try await sink.perform(sendings.map { $0.mutation })
        guard !outcomes.isEmpty else {
          throw HubError(
            .malformedMessage, message: "The hub did not say what became of the change")
        }
        try await finish(Array(zip(sendings, outcomes)))
      } catch let error as HubError where error.isAboutNumber {
        // The hub has lost what it had decided, or the file was put back to an older state.
        try await store.write { transaction in
          if error.code == .mutationOutOfOrder { try OutboxClients.forgetSent(in: transaction) }
          try OutboxClients.forget(entry, in: transaction)
        }
      }
      return .answered
    }
  }

  /// An entry as it is sent.
  private struct Sending: Sendable {
    let entry: OutboxEntry
    let mutation: Mutation

    init(_ entry: OutboxEntry, as id: MutationID) {
      (self.entry, mutation) = (entry, Mutation(id: id, changes: entry.changes))
    }
  }

  /// Has entries be numbered before they are sent, so that they are sent under the same numbers
  /// whatever happens meanwhile; without those that somebody has discarded by now.
  private func numbered(_ entries: [OutboxTables.Stored]) async throws -> [Sending] {
    let known = entries.compactMap { stored in stored.id.map { Sending(stored.entry, as: $0) } }
    if known.count == entries.count { return known }
    return try await store.write(author: Self.author) { transaction in
      try entries.compactMap { found in
        guard let stored = try OutboxTables.stored(found.entry.id, in: transaction),
          [.waiting, .sent].contains(stored.state)
        else { return nil }
        let id = try stored.id ?? OutboxClients.number(stored.entry.id, in: transaction)
        return Sending(stored.entry, as: id)
      }
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

  /// Notes what became of entries.
  private func finish(_ decided: [(Sending, MutationResult)]) async throws {
    let applied = decided.filter { $0.1 == .applied }.map { $0.0 }
    if !applied.isEmpty {
      try await store.write(author: Self.author) { transaction in
        for sent in applied { try accept(sent.entry.id, sent.mutation.id, in: transaction) }
      }
    }
    for (sent, outcome) in decided {
      guard case .rejected(let rejection) = outcome else { continue }
      try await park(sent.entry, for: rejection)
    }
  }

  private func accept(
    _ entry: OutboxEntry.ID, _ id: MutationID, in transaction: StoreTransaction
  ) throws {
    // A file that was put back asks again for what the hub's rows have had since they were
    // compared.
    guard try ReplicaTables.lastNumber(of: id.client, in: transaction) < id.number else {
      return try Outbox(tables).change(entry, in: transaction) {
        try OutboxTables.remove(entry, in: transaction)
      }
    }
    try OutboxTables.setState(.accepted, of: entry, in: transaction)
  }

  private func park(_ entry: OutboxEntry, for rejection: MutationRejection) async throws {
    let outbox = Outbox(tables)
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

  private static let author = "outbox"
}
