/// One load, or one commit, on its way to the source's listeners.
///
/// A cycle runs as `willLoad`, then each step in turn, then `didFinishLoading`. A step *flips* the
/// source's visible contents when its turn comes, and returns what changed. A step that throws ends
/// the cycle with `didFail`; the contents stay as the last good step left them.
///
/// ```swift
/// hub.submit(LoadCycle(steps: [{ contents.flip(to: next); return changes }]))
/// ```
package struct LoadCycle<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// One flip of the source's contents.
  package struct Step: Sendable {
    /// What a step did.
    package struct Outcome: Sendable {
      /// What to deliver; nil, or an empty changeset, delivers nothing.
      package var changes: Changeset<ItemID, Item>?
      /// Steps that only now are known to follow, before the remaining ones.
      package var next: [Step]

      package init(_ changes: Changeset<ItemID, Item>?, next: [Step] = []) {
        self.changes = changes
        self.next = next
      }
    }

    package let run: @Sendable () throws -> Outcome

    /// Creates a step that knows what follows it only when it has run: a first load delivers its
    /// first batch, then reads the rest.
    package init(_ run: @escaping @Sendable () throws -> Outcome) {
      self.run = run
    }
  }

  package let steps: [Step]
  /// Asked when the cycle's turn comes, before anything is announced.
  ///
  /// A cycle whose change was delivered with an earlier one is passed over without a callback.
  package let isStillNeeded: @Sendable () -> Bool
  /// Called where the cycle does not run to its end: it was cancelled, or the source is gone.
  ///
  /// Runs outside every lock, after the step that ran last.
  package let onDropped: @Sendable () -> Void

  package init(
    _ steps: [Step], isStillNeeded: @escaping @Sendable () -> Bool = { true },
    onDropped: @escaping @Sendable () -> Void = {}
  ) {
    self.steps = steps
    self.isStillNeeded = isStillNeeded
    self.onDropped = onDropped
  }

  /// Creates a cycle whose steps are all known.
  package init(
    steps: [@Sendable () throws -> Changeset<ItemID, Item>?],
    isStillNeeded: @escaping @Sendable () -> Bool = { true },
    onDropped: @escaping @Sendable () -> Void = {}
  ) {
    self.init(
      steps.map { run in Step { Step.Outcome(try run()) } }, isStillNeeded: isStillNeeded,
      onDropped: onDropped)
  }

  /// Returns a cycle that tells of a failure and changes nothing.
  package static func failed(_ error: any Error) -> LoadCycle {
    LoadCycle([Step { throw error }])
  }
}
