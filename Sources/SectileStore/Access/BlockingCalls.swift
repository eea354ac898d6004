internal import Foundation
internal import Synchronization

/// Threads for calls that block, made by tasks: the threads of tasks are few, and must not wait.
final class BlockingCalls: Sendable {
  private let queue: OperationQueue

  /// Creates a queue that runs so many calls at a time.
  init(width: Int) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = max(1, width)
  }

  /// Runs a closure on another thread when its turn comes.
  ///
  /// - Parameter body: Blocks for a while.
  /// - Returns: What it returns.
  /// - Throws: What it throws; `CancellationError` where the task was cancelled before its turn.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation {
          continuation.resume(
            with: Swift.Result {
              if cancellation.hasCome.load(ordering: .relaxed) { throw CancellationError() }
              return try body()
            })
        }
      }
    } onCancel: {
      cancellation.hasCome.store(true, ordering: .relaxed)
    }
  }

  private final class Cancellation: Sendable {
    let hasCome = Atomic(false)
  }
}
