/// A cycle, whatever the source's items are.
///
/// See ``LoadCycle`` for more information.
final class ErasedCycle: Sendable {
  /// One flip of the source's contents.
  struct Step: Sendable {
    /// Does what takes time, and returns what follows the step.
    let prepare: @Sendable () throws -> [Step]
    let flip: @Sendable () throws -> (any ErasedChanges)?
  }

  /// What a cycle does.
  enum Work: Sendable {
    case steps([Step])
    /// Works out the steps when the cycle's turn comes; nil where there is nothing to do.
    case derive(@Sendable () -> [Step]?)
    /// Flips the oldest change that waits in the source.
    case next(WeakQueuedChanges)
    /// Begins a load that is ended by a later cycle.
    case open(LoadKey)
    /// Flips the contents inside an open load.
    case part(LoadKey, @Sendable () throws -> (any ErasedChanges)?)
    /// Ends an open load.
    case close(LoadKey, (any Error)?)
  }

  /// A cycle that does nothing: what is left of one that was dropped, and is still counted.
  static let nothing = ErasedCycle(.derive { nil })

  private let work: Work
  private let onDropped: (@Sendable () -> Void)?

  init(_ work: Work, onDropped: (@Sendable () -> Void)? = nil) {
    self.work = work
    self.onDropped = onDropped
  }

  /// Returns what there is to do, when the cycle's turn comes; nil where that is nothing.
  @inline(__always)
  func derived() -> Work? {
    switch work {
    case .derive(let steps): steps().map { .steps($0) }
    case .next(let source): source.changes?.hasPending == true ? work : nil
    case .steps, .open, .part, .close: work
    }
  }

  /// Tells that the cycle does not run to its end.
  func drop() {
    onDropped?()
  }
}
