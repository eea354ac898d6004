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
/// to abandon at its next event, whatever the machine does meanwhile.
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

  /// What to do about it.
  package enum Action: Hashable, Sendable {
    /// Nothing.
    case proceed
    /// Call `willLoad`.
    case announce
    /// Run the next step.
    case runStep
    /// Call `didPartiallyLoad`.
    case deliver
    /// Call `didFinishLoading`.
    case finish
    /// Call `didFail`.
    case fail
    /// Give the cycle up without another callback.
    case abandon
    /// Give up every cycle that waits.
    case dropQueue
  }

  package private(set) var state = State.idle
  /// How many times the source was cancelled.
  package private(set) var epoch = 0

  package init() {}

  /// Takes note of an event and returns what to do.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - cycleEpoch: The epoch in which the cycle began that the event belongs to; without meaning
  ///     for `cancelled` and `resumed`.
  /// - Returns: What the caller has to do, outside the lock.
  package mutating func handle(_ event: Event, epoch cycleEpoch: Int) -> Action {
    switch (event, state) {
    case (.cancelled, _):
      state = .stopped
      epoch += 1
      return .dropQueue
    case (.resumed, .stopped):
      state = .idle
      return .proceed
    case (.resumed, _):
      return .proceed
    case (_, _) where cycleEpoch != epoch:
      return .abandon
    case (.began, .idle):
      state = .announcing
      return .announce
    case (.announced, .announcing):
      state = .loading
      return .runStep
    case (.changed, .loading):
      return .deliver
    case (.finished, .loading):
      state = .idle
      return .finish
    case (.failed, .loading):
      state = .idle
      return .fail
    case (.began, _), (.announced, _), (.changed, _), (.finished, _), (.failed, _):
      return .abandon
    }
  }
}
