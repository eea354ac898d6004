internal import Synchronization

/// Holds at most one changeset for one asynchronous consumer.
///
/// A changeset that arrives while another waits is merged with it. A merge that comes to nothing is
/// kept, but not handed out: it carries the version on, so that the next one continues where the
/// consumer left off.
final class ChangesetMailbox<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Changes = Changeset<ItemID, Item>

  private struct State {
    var pending: Changes?
    var consumer: CheckedContinuation<Changes?, Never>?
    var isFinished = false
    var isClaimed = false
  }

  private let state = Mutex(State())

  /// Returns true to the first who asks: two consumers do not share a mailbox.
  func claim() -> Bool {
    state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  /// Hands a changeset to the consumer that waits, or keeps it. Called by one thread at a time.
  func post(_ changes: Changes) {
    // Merging compares identities, which is the user's code: so it is done outside the lock. The
    // consumer finds nothing meanwhile, and waits.
    let earlier = state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
    let merged = earlier?.merging(changes) ?? changes
    let consumer: CheckedContinuation<Changes?, Never>? = state.withLock { state in
      guard !state.isFinished else { return nil }
      guard !merged.isEmpty, let consumer = state.consumer else {
        state.pending = merged
        return nil
      }
      state.consumer = nil
      return consumer
    }
    consumer?.resume(returning: merged)
  }

  /// Ends the sequence; what waits is still handed out.
  func finish() {
    let consumer = state.withLock { state in
      state.isFinished = true
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume(returning: nil)
  }

  /// Returns the next changeset, or nil at the end.
  func next() async -> Changes? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready: (isReady: Bool, changes: Changes?) = state.withLock { state in
          if let pending = state.pending, !pending.isEmpty {
            state.pending = nil
            return (true, pending)
          }
          if state.isFinished { return (true, nil) }
          // A second consumer of one iterator is a misuse that must not hang the first.
          guard state.consumer == nil else { return (true, nil) }
          state.consumer = continuation
          return (false, nil)
        }
        if ready.isReady { continuation.resume(returning: ready.changes) }
      }
    } onCancel: {
      discard()
    }
  }

  private func discard() {
    let rest = state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
    _ = rest
    finish()
  }
}
