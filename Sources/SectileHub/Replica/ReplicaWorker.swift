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
  let subscriptions: [TableSubscription]
  let configuration: ReplicaConfiguration
  let board: StatusBoard
  let requests: ResyncRequests

  /// Follows the hub until the task is cancelled, however often the hub is lost.
  func run() async {
    var delay = configuration.retryDelays.lowerBound
    var reason: ResyncReason?
    while !Task.isCancelled {
      var wait = delay
      let isAsked = requests.take()
      do {
        try await follow(resyncingFor: reason ?? (isAsked ? .requested : nil)) {
          delay = configuration.retryDelays.lowerBound
          reason = nil
        }
      } catch is CancellationError {
        if Task.isCancelled { return }
        // Somebody asks for a comparison.
        continue
      } catch let divergence as TransactionApplier.Divergence {
        reason = .diverged(divergence.problem)
        continue
      } catch let error as HubError where error.code == .schemaAhead {
        wait = configuration.retryDelays.upperBound
        board.stop(error)
        requests.refuse(with: error)
      } catch {
        guard !Task.isCancelled else { return }
        board.wait(for: error, wait)
        requests.refuse(with: error)
      }
      try? await requests.interruptible { [wait] in try await Task.sleep(for: wait) }
      delay = min(delay * 2, configuration.retryDelays.upperBound)
    }
  }

  /// Follows the hub until something goes wrong.
  ///
  /// - Parameters:
  ///   - reason: Why all rows are to be compared first; nil where the token decides.
  ///   - reached: Called when the rows are the hub's, and its commits come.
  private func follow(
    resyncingFor reason: ResyncReason?, reached: () -> Void
  ) async throws {
    board.enter(.connecting)
    let tables = try await feed.describe(subscriptions)
    let (present, token, notices) = try await store.read { transaction in
      (
        try ReplicaTables.syncedTables(in: transaction), try ReplicaTables.token(in: transaction),
        try ReplicaTables.notices(in: transaction)
      )
    }
    board.note(notices)
    let place: HubToken
    switch try await verdict(on: token, reason, isSame: Set(present) == Set(tables)) {
    case .resync(let reason): place = try await resync(tables, for: reason)
    case .resume:
      guard let token else { throw CancellationError() }
      board.resume(at: token)
      place = token
    }
    let stream = try await feed.stream(after: place, of: tables)
    do {
      reached()
      board.enter(.following(elsewhere: false))
      try await requests.interruptible {
        try await apply(stream, from: place, TransactionApplier(tables))
      }
    } catch {
      await stream.close()
      throw error
    }
  }

  private func verdict(
    on token: HubToken?, _ reason: ResyncReason?, isSame: Bool
  ) async throws -> TokenVerdict {
    if let reason { return .resync(reason) }
    guard let token else { return .resync(.firstTime) }
    guard isSame else { return .resync(.tablesChanged) }
    return try await feed.validate(token)
  }

  /// Reads all rows of the hub, and makes the file's rows the same.
  private func resync(
    _ tables: [SyncedTable], for reason: ResyncReason
  ) async throws -> HubToken {
    // Whoever has asked by now gets this comparison.
    requests.take()
    board.beginResync(reason)
    let staged = try await HubCopying(feed: feed, configuration: configuration, board: board)
      .stage(tables, for: store.path ?? "")
    defer { staged.remove() }
    board.enter(.comparing)
    let store = store
    let counts = try await BlockingCalls.shared.run {
      try ReplicaDifference.apply(staged, tables, to: store)
    }
    board.note(staged.notices)
    let resync = ReplicaResync(
      reason: reason, token: staged.token, rowCount: staged.rowCount,
      deletedCount: counts.deleted, writtenCount: counts.written)
    board.endResync(resync)
    requests.answer(with: resync)
    return staged.token
  }

  // MARK: - Following

  private func apply(
    _ stream: any HubStream, from start: HubToken, _ applier: TransactionApplier
  ) async throws {
    var place = start
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
