internal import Dispatch
internal import Foundation
internal import Synchronization

/// Says that something did not come to an end.
package struct DidNotEnd: Error, CustomStringConvertible {
  package let description: String
}

/// Runs a closure on a thread of its own, and returns what it returns.
///
/// What waits for a lock for ever would hold up the whole run, a time limit of its test or not:
/// threads cannot be ended from outside. This way its test fails, the thread is left behind, and
/// the other tests go on.
///
/// - Throws: What the closure throws; ``DidNotEnd`` after ten minutes.
package func endingInTime<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  let (outcome, end) = (Outcome<Result>(), DispatchSemaphore(value: 0))
  Thread.detachNewThread {
    let result = Swift.Result(catching: body)
    outcome.result.withLock { $0 = result }
    end.signal()
  }
  guard end.wait(timeout: .now() + .seconds(600)) == .success,
    let result = outcome.result.withLock({ $0 })
  else { throw DidNotEnd(description: "it did not end within ten minutes") }
  return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}
