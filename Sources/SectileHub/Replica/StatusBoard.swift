internal import FoundationEssentials
internal import Synchronization

/// What is known of a replica, and who hears of what happens to it.
final class StatusBoard: Sendable {
  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Listeners are called outside of it.
  // - `withheld`: what was told; guarded by its mutex.
  private let state = Mutex(ReplicaStatus())
  private let withheld = Mutex<Set<WithheldValue>>([])
  private let onEvent: (@Sendable (ReplicaEvent) -> Void)?

  init(_ onEvent: (@Sendable (ReplicaEvent) -> Void)?) { self.onEvent = onEvent }

  var status: ReplicaStatus { state.withLock { $0 } }

  /// Tells of an event that changes nothing here.
  func tell(_ event: ReplicaEvent) { onEvent?(event) }

  func enter(_ phase: ReplicaStatus.Phase) { state.withLock { $0.phase = phase } }

  func noteContact() { state.withLock { $0.lastContact = Date() } }

  func noteRejection() { state.withLock { $0.rejectedMutationCount += 1 } }

  /// Notes that a change of the outbox was refused, and tells it.
  func notePark(of entry: OutboxEntry) {
    noteRejection()
    tell(.parked(entry))
  }

  /// Notes where the file stands before the hub was heard of, so that its age is known without the
  /// hub.
  func noteFile(_ token: HubToken?, heartbeat: Date?) {
    state.withLock { state in
      state.token = state.token ?? token
      state.heartbeat = state.heartbeat ?? heartbeat
    }
  }

  /// Notes a sign of life that came with all rows.
  func noteHeartbeat(_ date: Date?) {
    guard let date else { return }
    state.withLock { state in
      if state.heartbeat.map({ date > $0 }) ?? true { state.heartbeatArrival = .now }
      state.heartbeat = max(date, state.heartbeat ?? date)
    }
  }

  /// Tells of values that rows do not have, each once.
  func noteWithheld(_ values: some Sequence<WithheldValue>) {
    for value in values where withheld.withLock({ $0.insert(value).inserted }) {
      tell(.withheld(value))
    }
  }

  /// Notes that what came could be applied, or that nothing was to be.
  func noteProgress() { state.withLock { $0.trouble = nil } }

  func resume(at token: HubToken) {
    state.withLock { ($0.token, $0.lastContact) = (token, Date()) }
    tell(.resumed(token))
  }

  func beginResync(_ reason: ResyncReason) { tell(.resyncBegan(reason)) }

  func noteCopied(_ rowCount: Int, of estimate: Int?) {
    enter(.copying(rowCount: rowCount, estimate: estimate))
    tell(.copied(rowCount: rowCount, estimate: estimate))
  }

  func endResync(_ resync: ReplicaResync) {
    state.withLock { state in
      (state.token, state.lastResync, state.lastContact) = (resync.token, resync, Date())
      state.resyncCount += 1
    }
    tell(.resyncEnded(resync))
  }

  func noteCommit(of transactions: [HubTransaction], _ rowCount: Int, reaching token: HubToken) {
    let heartbeat = transactions.compactMap(\.controlRecords.heartbeat).last
    noteWithheld(transactions.lazy.flatMap(\.controlRecords.withheld))
    state.withLock { state in
      state.token = token
      state.commitCount += 1
      state.appliedTransactionCount += transactions.count
      state.appliedRowCount += rowCount
      if let heartbeat {
        (state.heartbeat, state.heartbeatArrival) = (heartbeat.date, .now)
        state.measuredLag = .seconds(Date().timeIntervalSince(heartbeat.date))
      }
    }
  }

  func wait(for error: any Error, _ delay: Duration) {
    let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
    state.withLock { $0.trouble = (error as? HubError)?.message ?? "\(error)" }
    enter(.waiting(error, until: Date(timeIntervalSinceNow: seconds)))
    tell(.interrupted(error, retryAfter: delay))
  }

  /// Notes why nothing is applied any more; it is told where it was not told before.
  func stop(_ error: HubError, isNew: Bool) {
    enter(.stopped(error))
    if isNew { tell(.stopped(error)) }
  }

  /// Notes where the file stands while another process follows the hub.
  func noteElsewhere(_ token: HubToken?, heartbeat: Date?) {
    state.withLock { state in
      state.phase = .following(elsewhere: true)
      if let heartbeat, state.heartbeat.map({ heartbeat > $0 }) ?? false {
        state.heartbeatArrival = .now
      }
      (state.token, state.heartbeat) = (token, heartbeat)
    }
  }
}
