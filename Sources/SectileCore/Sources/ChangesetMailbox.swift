internal import Synchronization

/// A mailbox, whatever the items of its changesets are.
protocol ChangesetPosting: AnyObject, Sendable {
  /// Hands a changeset to the consumer that waits, or keeps it.
  ///
  /// - Precondition: The changeset is one of the mailbox's items.
  func post(_ changes: any ErasedChanges)

  /// Ends the sequence.
  func finish()
}

/// Holds what one asynchronous consumer has not yet received: at most one changeset.
///
/// A changeset that arrives while another waits is merged with it. A merge that comes to nothing is
/// kept, but not handed out: it carries the version on, so that the next one continues where the
/// consumer left off. Only where a cancellation swallowed a changeset in between can two not be
/// merged; then both wait, in order, and the consumer sees the gap by their versions.
final class ChangesetMailbox<ItemID: Hashable & Sendable, Item: Sendable>:
  ChangesetPosting
{
  typealias Changes = Changeset<ItemID, Item>

  private struct State {
    var pending: [Changes] = []
    var consumer: CheckedContinuation<Changes?, Never>?
    var isFinished = false
    var isClaimed = false

    /// Takes out the next changeset, unless all that waits came to nothing.
    mutating func takeFirst() -> Changes? {
      if pending.count > 1, let first = pending.first, first.isEmpty { pending.removeFirst() }
      guard let first = pending.first, !first.isEmpty else { return nil }
      return pending.removeFirst()
    }
  }

  private let state = Mutex(State())

  /// Returns true to the first who asks: two consumers do not share a mailbox.
  func claim() -> Bool {
    state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  func post(_ changes: any ErasedChanges) {
    post(unsafeDowncast(changes, to: DeliveredChanges<ItemID, Item>.self).changes)
  }

  /// Hands a changeset to the consumer that waits, or keeps it.
  ///
  /// Called by one thread at a time.
  func post(_ changes: Changes) {
    // Merging compares identities, which is the user's code: so it is done outside the lock. The
    // consumer finds nothing meanwhile, and waits.
    var waiting = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    if let last = waiting.last, let merged = try? last.merging(changes) {
      waiting[waiting.count - 1] = merged
    } else {
      waiting.append(changes)
    }
    let (consumer, ready): (CheckedContinuation<Changes?, Never>?, Changes?) = state.withLock {
      state in
      guard !state.isFinished else { return (nil, nil) }
      state.pending = waiting
      guard let consumer = state.consumer, let ready = state.takeFirst() else { return (nil, nil) }
      state.consumer = nil
      return (consumer, ready)
    }
    consumer?.resume(returning: ready)
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
          if let changes = state.takeFirst() { return (true, changes) }
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
      defer { state.pending = [] }
      return state.pending
    }
    _ = rest
    finish()
  }
}
