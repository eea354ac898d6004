internal import Synchronization

/// Answers true once.
final class FirstCall: Sendable {
  private let isTaken = Atomic(false)

  /// Returns whether this is the first call.
  func take() -> Bool {
    !isTaken.exchange(true, ordering: .acquiringAndReleasing)
  }
}
