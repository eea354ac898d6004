import Foundation
import Testing

/// Runs the tests of a suite on threads of their own.
///
/// They wait for other programs without suspending. On the threads that all tasks share, of which
/// there are as few as cores, nothing else would go on meanwhile: tests of other suites that wait
/// for a callback would run out of time.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// See ``OwnThreads``.
  static var ownThreads: Self { OwnThreads() }
}

/// Runs jobs on a few threads, in the order in which they come.
private final class QueueExecutor: TaskExecutor {
  static let shared = QueueExecutor()

  private let queue: OperationQueue

  private init() {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
