internal import Synchronization

/// Runs tasks one step at a time, in the order in which they became ready, on the thread of the
/// test.
///
/// With it a test of concurrent code gives the same course every time, and knows when nothing is
/// left to do but what it itself must bring about:
///
/// ```swift
/// let executor = ManualExecutor()
/// let task = Task(executorPreference: executor) { try await source.fetchMore() }
/// executor.runUntilIdle()
/// #expect(server.requests == ["page 2"])
/// ```
public final class ManualExecutor: TaskExecutor {
  // MARK: - Mutable state
  //
  // Guarded by the mutex; jobs run outside.
  private let jobs = Mutex<[UnownedJob]>([])

  /// Creates an executor without jobs.
  public init() {}

  /// Puts a job at the end of the queue.
  ///
  /// - Parameter job: What a task does until it waits.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs jobs until none is left.
  ///
  /// - Returns: How many ran.
  @discardableResult public func runUntilIdle() -> Int {
    run(atMost: .max)
  }

  /// Runs so many jobs, or fewer where no more are left.
  ///
  /// - Parameter limit: How many jobs to run; a test that stops in the middle sees states that are
  ///   otherwise gone at once.
  /// - Returns: How many ran.
  @discardableResult public func run(atMost limit: Int) -> Int {
    var count = 0
    while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }
}
