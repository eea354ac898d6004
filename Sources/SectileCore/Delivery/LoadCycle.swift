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
/// A cycle is a reference to what it does, and may be submitted any number of times. A source that
/// makes its changes before their turn comes keeps them in a queue of its own, and submits none:
/// see ``HubCore/submitNext()``.
package struct LoadCycle<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// One flip of the source's contents.
  package struct Step: Sendable {
    fileprivate let erased: ErasedCycle.Step

    /// Creates a step that knows what follows it only when it is prepared: a first load delivers
    /// its first batch, then reads the rest.
    ///
    /// - Parameters:
    ///   - prepare: Does what takes time, and returns the steps that follow before the remaining
    ///     ones. Whoever cancels meanwhile does not wait for it.
    ///   - flip: Flips the source's contents, and returns what to deliver; nil, or an empty
    ///     changeset, delivers nothing. Whoever cancels meanwhile waits until the change was told.
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
  ///   - onDropped: Called where the cycle does not run to its end: it was cancelled, or the source
  ///     is gone. Runs outside every lock, after the step that ran last.
  package init(_ steps: [Step], onDropped: (@Sendable () -> Void)? = nil) {
    erased = ErasedCycle(.steps(steps.map { $0.erased }), onDropped: onDropped)
  }

  /// Creates a cycle whose steps are all known.
  ///
  /// See ``init(_:onDropped:)`` for more information.
  package init(
    steps: [@Sendable () throws -> Changeset<ItemID, Item>?],
    onDropped: (@Sendable () -> Void)? = nil
  ) {
    self.init(steps.map { Step(flip: $0) }, onDropped: onDropped)
  }

  /// Creates a cycle that is worked out when its turn comes, before anything is announced.
  ///
  /// - Parameters:
  ///   - onDropped: Called where the cycle does not run to its end.
  ///   - steps: Returns what to do; nil where that is nothing, and nobody is called.
  package init(
    onDropped: (@Sendable () -> Void)? = nil, deriving steps: @escaping @Sendable () -> [Step]?
  ) {
    erased = ErasedCycle(.derive { steps()?.map { $0.erased } }, onDropped: onDropped)
  }

  /// Creates a cycle of one step whose changes are boxed already.
  ///
  /// - Parameters:
  ///   - onDropped: Called where the cycle does not run to its end.
  ///   - flip: Flips the source's contents and returns what to deliver, if anything.
  package init(
    onDropped: (@Sendable () -> Void)? = nil,
    flip: @escaping @Sendable () throws -> DeliveredChanges<ItemID, Item>?
  ) {
    let step = ErasedCycle.Step(prepare: { [] }, flip: { try flip() })
    erased = ErasedCycle(.steps([step]), onDropped: onDropped)
  }

  /// Returns a cycle that tells of a failure and changes nothing.
  package static func failed(_ error: any Error) -> LoadCycle {
    LoadCycle([Step(flip: { throw error })])
  }
}
