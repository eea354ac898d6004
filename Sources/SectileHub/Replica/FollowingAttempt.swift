internal import Synchronization

/// How far an attempt to follow the hub has come.
final class FollowingAttempt: Sendable {
  private struct State {
    var beginning: ContinuousClock.Instant?
    var hasApplied = false
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())

  /// Notes that the rows are the hub's, and its commits come.
  func begin() { state.withLock { $0.beginning = .now } }

  /// Notes that the file has something that came.
  func noteApplied() { state.withLock { $0.hasApplied = true } }

  /// Whether the hub's commits came.
  var hasBegun: Bool { state.withLock { $0.beginning != nil } }

  /// Whether the file has any of them.
  var hasApplied: Bool { state.withLock { $0.hasApplied } }

  /// Whether they came for so long.
  func hasHeld(for duration: Duration) -> Bool {
    state.withLock { $0.beginning.map { $0.duration(to: .now) >= duration } ?? false }
  }
}
