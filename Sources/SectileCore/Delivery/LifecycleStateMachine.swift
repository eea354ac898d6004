/// The lifecycle of one source as a table: which callback may be made now.
///
/// ```
///            began            announced            finished, failed
///   idle ──────────→ announcing ─────────→ loading ──────────────────→ idle
///
///   cancelled: from every state to stopped.     resumed: stopped → idle
/// ```
///
/// Cancelling starts a new *epoch*. A cycle that was under way belongs to an older one, and is told
/// to give up at its next event, whatever the machine does meanwhile.
package struct LifecycleStateMachine: Sendable {
  /// Where in its lifecycle a source is.
  package enum State: Hashable, Sendable, CaseIterable {
    /// Nothing is under way.
    case idle
    /// `willLoad` is being called; a reader sees the old contents.
    case announcing
    /// `willLoad` returned: contents flip, and changes are delivered.
    case loading
    /// The source was cancelled and makes no callbacks.
    case stopped
  }

  /// What happened.
  package enum Event: Hashable, Sendable, CaseIterable {
    /// The next cycle's turn has come.
    case began
    /// Everybody was told that changes follow.
    case announced
    /// A step flipped the contents.
    case changed
    /// The last step is done.
    case finished
    /// A step failed.
    case failed
    /// The source was cancelled.
    case cancelled
    /// The source is loaded again.
    case resumed
  }

  package private(set) var state = State.idle
  /// How many times the source was cancelled.
  package private(set) var epoch = 0

  package init() {}

  /// Takes note of an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - cycleEpoch: The epoch in which the cycle began that the event belongs to; without meaning
  ///     for `cancelled` and `resumed`.
  /// - Returns: Whether the cycle goes on, with the callback or the step that the event leads to;
  ///   false where it is given up without another callback. Always true for `cancelled` and
  ///   `resumed`.
  @discardableResult
  package mutating func handle(_ event: Event, epoch cycleEpoch: Int) -> Bool {
    switch (event, state) {
    case (.cancelled, _):
      state = .stopped
      epoch += 1
    case (.resumed, _):
      if state == .stopped { state = .idle }
    case (_, _) where cycleEpoch != epoch: return false
    case (.began, .idle): state = .announcing
    case (.announced, .announcing): state = .loading
    case (.changed, .loading): break
    case (.finished, .loading), (.failed, .loading): state = .idle
    case (.began, _), (.announced, _), (.changed, _), (.finished, _), (.failed, _): return false
    }
    return true
  }
}
