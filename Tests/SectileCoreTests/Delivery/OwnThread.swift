import Dispatch

/// Runs a task on a thread that no other task needs.
///
/// The threads that all tasks share are as few as cores; tests that compute for minutes hold them
/// all.
final class OwnThread: TaskExecutor {
  private let queue = DispatchQueue(label: "a test's own thread")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
