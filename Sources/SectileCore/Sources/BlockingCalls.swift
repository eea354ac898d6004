internal import CThread
internal import Synchronization

/// Threads on which tasks have done what blocks: the threads that all tasks share are few, and must
/// not wait.
///
/// A call stays in its task: task-local values, the priority, and whether it was cancelled are the
/// same there. There are as many threads as calls are under way, up to a width; further calls wait
/// for their turn, suspended.
package final class BlockingCalls: TaskExecutor {
  /// For what belongs to no store: opening one, and loading a source of any kind.
  package static let shared = BlockingCalls(width: 64)

  private struct State {
    var jobs = FirstInFirstOut<UnownedJob>()
    var threadCount = 0
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; no job runs under it.
  private let state = Mutex(State())
  private let width: Int

  /// Creates threads, none of which runs yet.
  ///
  /// - Parameter width: How many there are at most, one at least.
  package init(width: Int) { self.width = max(1, width) }

  /// Runs a closure on one of the threads when its turn comes.
  ///
  /// - Parameters:
  ///   - evenIfCancelled: Whether to run it where the task was cancelled before its turn.
  ///   - body: Blocks for a while.
  /// - Returns: What it returns.
  /// - Throws: What it throws; `CancellationError` where it was not run.
  package func run<Result: Sendable>(
    evenIfCancelled: Bool = false, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    try await withTaskExecutorPreference(self) {
      if !evenIfCancelled { try Task.checkCancellation() }
      return try body()
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isNewThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threadCount < width else { return false }
      state.threadCount += 1
      return true
    }
    guard isNewThread else { return }
    let threads = Unmanaged.passRetained(self)
    if !sectile_start_thread(Self.runThread, threads.toOpaque()) {
      // The system has no thread to give: what waits is done here.
      threads.release()
      runJobs()
    }
  }

  private static let runThread: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    guard let context else { return }
    Unmanaged<BlockingCalls>.fromOpaque(context).takeRetainedValue().runJobs()
  }

  /// Runs what waits, until nothing does.
  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    while let job = nextJob() { job.runSynchronously(on: executor) }
  }

  private func nextJob() -> UnownedJob? {
    state.withLock { state in
      let job = state.jobs.popFirst()
      if job == nil { state.threadCount -= 1 }
      return job
    }
  }
}
