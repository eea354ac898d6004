internal import FoundationEssentials
internal import SectileCore
internal import SectileStore

/// Follows the hub, for the one process that does.
struct ReplicaWorker: Sendable {
  let store: Store
  let feed: any ReplicationFeed
  let sink: any MutationSink
  let subscriptions: [TableSubscription]
  let configuration: ReplicaConfiguration
  let board: StatusBoard
  let requests: ResyncRequests

  /// Follows the hub until the task is cancelled, however often the hub is lost.
  func run() async {
    let delays = configuration.retryDelays
    var delay = delays.lowerBound
    var reason: ResyncReason?
    var stopped: String?
    while !Task.isCancelled {
      let isAsked = requests.take()
      let attempt = FollowingAttempt()
      let failure = await failure(
        of: attempt, resyncingFor: reason ?? (isAsked ? .requested : nil))
      if failure is CancellationError {
        if Task.isCancelled { return }
        // Somebody asks for a comparison.
        continue
      }
      // Where rows diverge again and again, they are not copied again and again without a pause.
      if attempt.hasHeld(for: delays.upperBound) || attempt.hasApplied && reason == nil {
        delay = delays.lowerBound
      }
      if attempt.hasBegun { reason = nil }
      switch failure {
      case let divergence as TransactionApplier.Divergence: reason = .diverged(divergence.problem)
      case is Redefinition: reason = .tablesChanged
      case let error as HubError where error.code == .schemaAhead:
        delay = delays.upperBound
        board.stop(error, isNew: stopped != error.message)
        stopped = error.message
        requests.refuse(with: error)
      case let error as HubError where error.code == .unsupportedValue:
        // The commit stays what it is, and the row may be another one by now. Copying all is not
        // tried as often.
        reason = .diverged(error.message)
        delay = delays.upperBound * 12
        board.wait(for: error, delay)
        requests.refuse(with: error)
      default:
        guard !Task.isCancelled else { return }
        board.wait(for: failure, delay)
        requests.refuse(with: failure)
      }
      // Replicas that lost one hub do not come back all at once.
      let wait = delay * Double.random(in: 0.5...1)
      try? await requests.interruptible { try await Task.sleep(for: wait) }
      delay = min(delay * 2, delays.upperBound)
    }
  }

  private func failure(
    of attempt: FollowingAttempt, resyncingFor reason: ResyncReason?
  ) async -> any Error {
    do {
      try await follow(resyncingFor: reason, attempt)
      return CancellationError()
    } catch {
      return error
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
  ///   - attempt: What is told how far it comes.
  /// - Throws: What went wrong: always, since only that ends it.
  private func follow(
    resyncingFor reason: ResyncReason?, _ attempt: FollowingAttempt
  ) async throws {
    board.enter(.connecting)
    let (token, heartbeat) = try await store.read { transaction in
      (try ReplicaTables.token(in: transaction), try ReplicaTables.heartbeat(in: transaction))
    }
    board.noteFile(token, heartbeat: heartbeat)
    let tables = try await feed.describe(subscriptions)
    try SyncedTable.checkNames(of: tables)
    let isIntact = try await store.read { transaction in
      try tables.allSatisfy { try ReplicaSchema.isIntact($0, in: transaction) }
    }
    let place: HubToken
    switch (try await verdict(on: token, of: tables, isIntact: isIntact, reason), token) {
    case (.resume, let token?):
      board.resume(at: token)
      place = token
    case (.resync(let reason), _): place = try await resync(tables, for: reason)
    case (.resume, nil): place = try await resync(tables, for: .firstTime)
    }
    let drain = OutboxDrain(
      store: store, sink: sink, tables: tables, configuration: configuration, board: board)
    let refill = KeyRefill(store: store, sink: sink, tables: tables, configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await beat() }
      group.addTask { await drain.run() }
      group.addTask { await refill.run() }
      defer { group.cancelAll() }
      let stream = try await feed.stream(after: place, of: tables)
      do {
        attempt.begin()
        board.enter(.following(elsewhere: false))
        try await requests.interruptible {
          try await apply(stream, from: place, tables, attempt)
        }
      } catch {
        await stream.close()
        throw error
      }
    }
  }

  private func verdict(
    on token: HubToken?, of tables: [SyncedTable], isIntact: Bool, _ reason: ResyncReason?
  ) async throws -> ResumeDecision {
    if let reason { return .resync(reason) }
    guard let token else { return .resync(.firstTime) }
    guard isIntact, token.tables == SyncedTable.fingerprint(of: tables) else {
      return .resync(.tablesChanged)
    }
    let verdict = try await feed.validate(token)
    guard verdict == .resume else { return verdict }
    return try await isRedefined(since: token, tables) ? .resync(.tablesChanged) : .resume
  }

  /// That the hub's tables are not those any more whose rows the replica has, and no commit told
  /// it.
  private struct Redefinition: Error {}

  /// Whether the hub's tables have another definition than they had when the replica's rows were
  /// read.
  private func isRedefined(since token: HubToken, _ tables: [SyncedTable]) async throws -> Bool {
    let state = try await feed.state(of: tables)
    guard let definition = state.definition, definition != token.definition else { return false }
    // What the hub committed before it went ahead of this program is applied still: the log says
    // where that is.
    return configuration.admits(state.schemaVersions)
  }

  /// Has the hub commit a sign of life where none has come for a while, from whichever replica.
  private func beat() async {
    guard let interval = configuration.heartbeatInterval else { return }
    while !Task.isCancelled {
      // Not all replicas at once.
      try? await Task.sleep(for: interval * Double.random(in: 1...1.5))
      if let age = board.status.heartbeatAge, age < interval { continue }
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
    // Whoever has asked by now gets this comparison.
    requests.take()
    // Before anything is given up that the hub keeps for the replica.
    try configuration.refuse(try await feed.state(of: tables).schemaVersions)
    board.beginResync(reason)
    let store = store
    if reason.mayRepeatKeys { try await store.write { try KeyReserve.emptyAll(in: $0) } }
    let copying = HubCopying(feed: feed, configuration: configuration, board: board)
    return try await copying.stage(tables, for: store.path ?? "") { staged -> HubToken in
      board.enter(.comparing)
      let counts = try await BlockingCalls.shared.run {
        try ReplicaDifference.apply(staged, tables, to: store)
      }
      board.noteHeartbeat(staged.controlRecords.heartbeat?.date)
      let resync = ReplicaResync(
        reason: reason, token: staged.token, rowCount: staged.rowCount,
        deletedCount: counts.deleted, writtenCount: counts.written)
      board.endResync(resync)
      requests.answer(with: resync)
      return staged.token
    }
  }

  // MARK: - Following

  private func apply(
    _ stream: any HubStream, from start: HubToken, _ tables: [SyncedTable],
    _ attempt: FollowingAttempt
  ) async throws {
    let applier = TransactionApplier(tables)
    var place = start
    var (written, asked) = (ContinuousClock.now, ContinuousClock.now)
    let patience = (configuration.heartbeatInterval ?? .seconds(5)) * 3
    while true {
      let messages = try await stream.next(limit: max(1, configuration.groupLimit))
      board.noteContact()
      var reached = place
      var transactions: [HubTransaction] = []
      var ahead: HubError?
      for message in messages where ahead == nil {
        switch message {
        case .keepAlive(let position): reached.position = max(reached.position, position)
        case .transaction(let transaction):
          ahead = try await refusal(of: transaction.controlRecords.schemaVersions, tables)
          guard ahead == nil else { break }
          transactions.append(transaction)
          reached.position = max(reached.position, transaction.position)
          reached.heartbeat = transaction.controlRecords.heartbeat?.mark ?? reached.heartbeat
        }
      }
      let isIdle = transactions.isEmpty
      if !isIdle || (reached != place && written.duration(to: .now) >= configuration.idleInterval) {
        try await commit(transactions, reaching: reached, applier)
        attempt.noteApplied()
        place = reached
        written = .now
        try await stream.confirm(place.position)
      }
      board.noteProgress()
      if let ahead { throw ahead }
      // Where no heartbeat comes, it may be because it is not sent to this replica any more.
      if transactions.contains(where: { $0.controlRecords.heartbeat != nil })
        || asked.duration(to: .now) >= patience
      {
        if try await isRedefined(since: place, tables) { throw Redefinition() }
        asked = .now
      }
    }
  }

  /// Why nothing is applied from where the hub said which versions of the schema it supports; nil
  /// where it is.
  private func refusal(
    of versions: ClosedRange<Int>?, _ tables: [SyncedTable]
  ) async throws -> HubError? {
    do throws(HubError) {
      try configuration.refuse(versions)
      return nil
    } catch {
      // The log tells for ever what the hub may have taken back since.
      let present = try await feed.state(of: tables).schemaVersions
      return present != nil && configuration.admits(present) ? nil : error
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
