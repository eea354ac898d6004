internal import Synchronization

/// Whether somebody has given up, for whoever waits on a thread that belongs to no task.
final class Cancellation: Sendable {
  private let isCancelled = Atomic(false)

  /// Gives up; from any thread.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// - Throws: `CancellationError` where somebody has given up.
  func check() throws(CancellationError) {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }
}
