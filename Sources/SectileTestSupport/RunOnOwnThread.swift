internal import Dispatch

/// Runs a closure on a thread of its own, for one that waits.
///
/// The threads of concurrent queues are as few as those that all tasks share: closures that wait
/// there for a test keep the test from going on.
///
/// - Parameter body: What to run.
package func runOnOwnThread(_ body: @escaping @Sendable () -> Void) {
  // A serial queue without a target gets a thread however many there are.
  DispatchQueue(label: "a test's own thread").async(execute: body)
}

/// Runs a closure that waits on a thread of its own, and returns when the closure has.
///
/// - Parameter body: What to run.
package func waitOnOwnThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    runOnOwnThread {
      body()
      continuation.resume()
    }
  }
}
