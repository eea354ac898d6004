internal import Synchronization

/// The lock of writers while a file is opened, which may write before it is known whether the file
/// has a log.
///
/// GRDB's pool writes to a file that has no WAL yet, or an empty one.
final class OpeningLock: Sendable {
  private struct State {
    var lock: WriterLock?
    var isHeld = false
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())

  /// The lock; nil before the first connection.
  var lock: WriterLock? { state.withLock { $0.lock } }

  /// Takes the lock where writers of this file have one already.
  ///
  /// - Throws: What ``WriterLock/enterIfThere()`` does.
  func enter(_ lock: WriterLock) throws {
    let isHeld = try lock.enterIfThere()
    state.withLock { $0 = State(lock: lock, isHeld: isHeld) }
  }

  /// Lets go of it when the file is open, or cannot be.
  func leave() {
    let lock = state.withLock { state in
      exchange(&state.isHeld, with: false) ? state.lock : nil
    }
    lock?.leave()
  }
}
