internal import SectileCore
internal import SectileStore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Follows the hub, for the one process that does.
struct ReplicaWorker: Sendable {
  let store: Store
  let feed: any ReplicationFeed
  let sink: any MutationSink
  let subscriptions: [TableSubscription]
  let configuration: ReplicaConfiguration
  let board: StatusBoard

  /// Follows the hub until the task is cancelled, however often the hub is lost.
  func run() async {
    let delays = configuration.retryDelays
    var delay = delays.lowerBound
    var reason: ResyncReason?
    var stopped: String?
    while !Task.isCancelled {
      do {
        try await follow(resyncingFor: reason) {
          // Where rows diverge again and again, they are not copied again and again without a pause.
          if reason == nil { delay = delays.lowerBound }
          reason = nil
        }
      } catch is CancellationError {
        return
      } catch let divergence as TransactionApplier.Divergence {
        reason = .diverged(divergence.problem)
      } catch let error as HubError where error.code == .schemaAhead {
        delay = delays.upperBound
        board.stop(error, isNew: stopped != error.message)
        stopped = error.message
      } catch let error as HubError where error.code == .unsupportedValue {
        // The commit stays what it is, and the row may be another one by now. Copying all is not tried as often.
        reason = .diverged(error.message)
        delay = delays.upperBound * 12
        board.wait(for: error, delay)
      } catch {
        guard !Task.isCancelled else { return }
        board.wait(for: error, delay)
      }
      // Replicas that lost one hub do not come back all at once.
      try? await Task.sleep(for: delay * Double.random(in: 0.5...1))
      delay = min(delay * 2, delays.upperBound)
    }
  }

  /// Sees how far the process has come that follows the hub.
  func lookOn() async {
    let found = try? await store.read { transaction in
      (try ReplicaTables.token(in: transaction), try ReplicaTables.heartbeat(in: transaction))
    }
    board.noteElsewhere(found?.0, heartbeat: found?.1)
  }

  /// Follows the hub until something goes wrong.
  ///
  /// - Parameters:
  ///   - reason: Why all rows are to be compared first; nil where the token decides.
  ///   - reached: Called when the rows are the hub's, and its commits come.
  /// - Throws: What went wrong: always, since only that ends it.
  private func follow(
    resyncingFor reason: ResyncReason?, reached: () -> Void
  ) async throws {
    board.enter(.connecting)
    let tables = try await feed.describe(subscriptions)
    let (token, isIntact, heartbeat) = try await store.read { transaction in
      (
        try ReplicaTables.token(in: transaction),
        try tables.allSatisfy { try ReplicaSchema.isIntact($0, in: transaction) },
        try ReplicaTables.heartbeat(in: transaction)
      )
    }
    board.noteHeartbeat(heartbeat)
    var place: HubToken
    switch (try await verdict(on: token, of: tables, isIntact: isIntact, reason), token) {
    case (.resume, let token?):
      board.resume(at: token)
      place = token
    case (.resync(let reason), _): place = try await resync(tables, for: reason)
    case (.resume, nil): place = try await resync(tables, for: .firstTime)
    }
    let drain = OutboxDrain(
      store: store, sink: sink, tables: tables, configuration: configuration, board: board)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await beat() }
      group.addTask { await drain.run() }
      defer { group.cancelAll() }
      let stream = try await feed.stream(after: place, of: tables)
      do {
        reached()
        board.enter(.following(elsewhere: false))
        try await apply(stream, from: &place, TransactionApplier(tables))
      } catch {
        await stream.close()
        throw error
      }
    }
  }

  private func verdict(
    on token: HubToken?, of tables: [SyncedTable], isIntact: Bool, _ reason: ResyncReason?
  ) async throws -> TokenVerdict {
    if let reason { return .resync(reason) }
    guard let token else { return .resync(.firstTime) }
    guard isIntact, token.tables == SyncedTable.fingerprint(of: tables) else {
      return .resync(.tablesChanged)
    }
    return try await feed.validate(token)
  }

  /// Has the hub commit a sign of life where none has come for a while, from whichever replica.
  private func beat() async {
    guard let interval = configuration.heartbeatInterval else { return }
    while !Task.isCancelled {
      // Not all replicas at once.
      try? await Task.sleep(for: interval * Double.random(in: 1...1.5))
      if let lag = board.status.lag(), lag < interval { continue }
      do {
        try await feed.heartbeat()
      } catch let error as HubError where error.code == .notPermitted {
        return
      } catch {
        // The stream hears it as well.
      }
    }
  }

  /// Reads all rows of the hub, and makes the file's rows the same.
  private func resync(
    _ tables: [SyncedTable], for reason: ResyncReason
  ) async throws -> HubToken {
    board.beginResync(reason)
    let staged = try await HubCopying(feed: feed, configuration: configuration, board: board)
      .stage(tables, for: store.path ?? "")
    defer { staged.remove() }
    board.enter(.comparing)
    let store = store
    let counts = try await BlockingCalls.shared.run {
      try ReplicaDifference.apply(staged, tables, to: store)
    }
    board.noteHeartbeat(staged.notices.heartbeat?.date)
    board.endResync(
      ReplicaResync(
        reason: reason, token: staged.token, rowCount: staged.rowCount,
        deletedCount: counts.deleted, writtenCount: counts.written))
    return staged.token
  }

  // MARK: - Following

  private func apply(
    _ stream: any HubStream, from place: inout HubToken, _ applier: TransactionApplier
  ) async throws {
    var written = ContinuousClock.now
    while true {
      let messages = try await stream.next(limit: max(1, configuration.groupLimit))
      board.noteContact()
      var reached = place
      var transactions: [HubTransaction] = []
      var ahead: HubError?
      for message in messages {
        switch message {
        case .keepAlive(let position): reached.position = max(reached.position, position)
        case .transaction(let transaction):
          do throws(HubError) {
            try configuration.refuse(transaction.notices.schemaVersions)
          } catch {
            ahead = error
          }
          if ahead == nil {
            transactions.append(transaction)
            reached.position = max(reached.position, transaction.position)
            reached.heartbeat = transaction.notices.heartbeat?.mark ?? reached.heartbeat
          }
        }
        if ahead != nil { break }
      }
      let isIdle = transactions.isEmpty
      if !isIdle || (reached != place && written.duration(to: .now) >= configuration.idleInterval) {
        try await commit(transactions, reaching: reached, applier)
        place = reached
        written = .now
        try await stream.confirm(place.position)
      }
      if let ahead { throw ahead }
    }
  }

  private func commit(
    _ transactions: [HubTransaction], reaching token: HubToken, _ applier: TransactionApplier
  ) async throws {
    let rowCount = try await store.write(author: "hub", tag: token.position.description) { local in
      try applier.apply(transactions, reaching: token, in: local)
    }
    board.noteCommit(of: transactions, rowCount, reaching: token)
  }
}
