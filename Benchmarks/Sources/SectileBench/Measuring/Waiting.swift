internal import Dispatch
internal import Synchronization

/// Runs what is asynchronous to its end, and waits for it.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws
  -> Result
{
  let outcome = Outcome<Result>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let result = try await body()
      outcome.state.withLock { $0 = .success(result) }
    } catch {
      outcome.state.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  guard let result = outcome.state.withLock({ $0 }) else {
    throw WrongResult("a task ended without a result")
  }
  return try result.get()
}

private final class Outcome<Success: Sendable>: Sendable {
  let state = Mutex<Result<Success, any Error>?>(nil)
}
