internal import Foundation
internal import Synchronization

/// What a load came to on the thread that called for it, so that the call can throw it.
///
/// A load that is made elsewhere, or later, tells those alone who listen.
final class LoadOutcome: Sendable {
  // MARK: - Mutable state
  //
  // - `failure`: guarded by its mutex.
  private let failure = Mutex<(any Error)?>(nil)
  private let caller = pthread_self()

  /// Takes note of what the load met; the first counts.
  func note(_ error: any Error) {
    guard pthread_equal(caller, pthread_self()) != 0 else { return }
    failure.withLock { if $0 == nil { $0 = error } }
  }

  /// Throws what the load has met, if it was made on the caller's thread.
  func get() throws {
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
