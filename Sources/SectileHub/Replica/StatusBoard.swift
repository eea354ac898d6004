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

  /// Notes what the hub said, or what the file kept of it.
  func note(_ notices: HubNotices) {
    guard let heartbeat = notices.heartbeat else { return }
    state.withLock { $0.heartbeat = max(heartbeat, $0.heartbeat ?? heartbeat) }
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
        state.heartbeat = heartbeat
        state.measuredLag = .seconds(Date().timeIntervalSince(heartbeat))
      }
    }
  }

  func wait(for error: any Error, _ delay: Duration) {
    let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
    enter(.waiting(error, until: Date(timeIntervalSinceNow: seconds)))
    tell(.interrupted(error, retryAfter: delay))
  }

  func stop(_ error: HubError) {
    enter(.stopped(error))
    tell(.stopped(error))
  }
}
