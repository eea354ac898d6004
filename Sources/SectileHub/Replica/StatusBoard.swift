internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What is known of a replica, and who hears of what happens to it.
final class StatusBoard: Sendable {
  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Listeners are called outside of it.
  private let state = Mutex(ReplicaStatus())
  private let onEvent: (@Sendable (ReplicaEvent) -> Void)?

  init(_ onEvent: (@Sendable (ReplicaEvent) -> Void)?) { self.onEvent = onEvent }

  var status: ReplicaStatus { state.withLock { $0 } }

  /// Tells of an event that changes nothing here.
  func tell(_ event: ReplicaEvent) { onEvent?(event) }

  func enter(_ phase: ReplicaStatus.Phase) { state.withLock { $0.phase = phase } }

  func noteContact() { state.withLock { $0.lastContact = Date() } }

  func noteRejection() { state.withLock { $0.rejectedMutationCount += 1 } }

  /// Notes a sign of life that the file has.
  func noteHeartbeat(_ date: Date?) {
    guard let date else { return }
    state.withLock { $0.heartbeat = max(date, $0.heartbeat ?? date) }
  }

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
    let heartbeat = transactions.compactMap(\.notices.heartbeat).last
    state.withLock { state in
      state.token = token
      state.commitCount += 1
      state.appliedTransactionCount += transactions.count
      state.appliedRowCount += rowCount
      if let heartbeat {
        state.heartbeat = heartbeat.date
        state.measuredLag = .seconds(Date().timeIntervalSince(heartbeat.date))
      }
    }
  }

  func wait(for error: any Error, _ delay: Duration) {
    let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
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
      (state.token, state.heartbeat) = (token, heartbeat)
    }
  }
}
