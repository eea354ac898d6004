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
    case flip(@Sendable () throws -> (any ErasedChanges)?)
    case steps([Step])
    /// Begins a load that is ended by a later cycle.
    case open(LoadKey)
    /// Flips the contents inside an open load.
    case part(LoadKey, @Sendable () throws -> (any ErasedChanges)?)
    /// Ends an open load.
    case close(LoadKey, (any Error)?)
  }

  /// A cycle that does nothing: what is left of one that was dropped, and is still counted.
  static let nothing = ErasedCycle(.steps([]), isStillNeeded: { false }, onDropped: nil)

  let work: Work
  private let isStillNeeded: (@Sendable () -> Bool)?
  private let onDropped: (@Sendable () -> Void)?

  init(
    _ work: Work, isStillNeeded: (@Sendable () -> Bool)?, onDropped: (@Sendable () -> Void)?
  ) {
    self.work = work
    self.isStillNeeded = isStillNeeded
    self.onDropped = onDropped
  }

  /// Whether there is something left to do; asked when the cycle's turn comes.
  var isNeeded: Bool { isStillNeeded?() ?? true }

  /// Tells that the cycle does not run to its end.
  func drop() {
    onDropped?()
  }
}
