/// One load, or one commit, on its way to the source's listeners.
///
/// A cycle runs as `willLoad`, then each step in turn, then `didFinishLoading`. A step *flips* the
/// source's visible contents when its turn comes, and returns what changed. It does so inside the
/// gate through which the change is told, so that nobody who cancels comes between the two. A step
/// that throws ends the cycle with `didFail`; the contents stay as the last good step left them.
///
/// ```swift
/// hub.submit(LoadCycle(steps: [{ contents.flip(to: next); return changes }]))
/// ```
///
/// A cycle is a reference to what it does, and may be submitted any number of times. A source whose
/// commits all do the same (flip to the next of the prepared contents) makes one cycle, and submits
/// it for each of them:
///
/// ```swift
/// let commit = LoadCycle(isStillNeeded: { contents.hasNext }) { contents.flipToNext() }
/// ```
package struct LoadCycle<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// One flip of the source's contents.
  package struct Step: Sendable {
    fileprivate let erased: ErasedCycle.Step

    /// Creates a step that knows what follows it only when it is prepared: a first load delivers its
    /// first batch, then reads the rest.
    ///
    /// - Parameters:
    ///   - prepare: Does what takes time, and returns the steps that follow before the remaining
    ///     ones. Whoever cancels meanwhile does not wait for it.
    ///   - flip: Flips the source's contents, and returns what to deliver; nil, or an empty changeset,
    ///     delivers nothing. Whoever cancels meanwhile waits until the change was told.
    package init(
      prepare: @escaping @Sendable () throws -> [Step] = { [] },
      flip: @escaping @Sendable () throws -> Changeset<ItemID, Item>?
    ) {
      erased = ErasedCycle.Step(
        prepare: { try prepare().map { $0.erased } }, flip: { try flip()?.boxed })
    }
  }

  let erased: ErasedCycle

  /// Creates a cycle.
  ///
  /// - Parameters:
  ///   - steps: What to do, in order.
  ///   - isStillNeeded: Asked when the cycle's turn comes, before anything is announced. A cycle
  ///     whose change was delivered with an earlier one is passed over without a callback.
  ///   - onDropped: Called where the cycle does not run to its end: it was cancelled, or the source
  ///     is gone. Runs outside every lock, after the step that ran last.
  package init(
    _ steps: [Step], isStillNeeded: (@Sendable () -> Bool)? = nil,
    onDropped: (@Sendable () -> Void)? = nil
  ) {
    erased = ErasedCycle(
      .steps(steps.map { $0.erased }), isStillNeeded: isStillNeeded, onDropped: onDropped)
  }

  /// Creates a cycle whose steps are all known.
  ///
  /// See ``init(_:isStillNeeded:onDropped:)`` for more information.
  package init(
    steps: [@Sendable () throws -> Changeset<ItemID, Item>?],
    isStillNeeded: (@Sendable () -> Bool)? = nil, onDropped: (@Sendable () -> Void)? = nil
  ) {
    self.init(
      steps.map { Step(flip: $0) }, isStillNeeded: isStillNeeded, onDropped: onDropped)
  }

  /// Creates a cycle of one step whose changes are boxed already.
  ///
  /// This is the one to make once and to submit often: running it allocates nothing.
  ///
  /// - Parameters:
  ///   - isStillNeeded: Asked when the cycle's turn comes, before anything is announced.
  ///   - onDropped: Called where the cycle does not run to its end.
  ///   - flip: Flips the source's contents and returns what to deliver, if anything.
  package init(
    isStillNeeded: (@Sendable () -> Bool)? = nil, onDropped: (@Sendable () -> Void)? = nil,
    flip: @escaping @Sendable () throws -> DeliveredChanges<ItemID, Item>?
  ) {
    erased = ErasedCycle(
      .flip { try flip() }, isStillNeeded: isStillNeeded, onDropped: onDropped)
  }

  /// Returns a cycle that tells of a failure and changes nothing.
  package static func failed(_ error: any Error) -> LoadCycle {
    LoadCycle([Step(flip: { throw error })])
  }
}
