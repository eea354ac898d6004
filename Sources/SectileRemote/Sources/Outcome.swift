internal import Synchronization

/// What something ends with: set once, awaited by any number of tasks.
final class Outcome<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    /// Waiters whose task was cancelled before they began to wait.
    var quitters: Set<Int> = []
    var lastWaiter = 0
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`; continuations are resumed outside.
  private let state = Mutex(State())

  /// Sets the result, and wakes all who wait for it; the second time nothing happens.
  func settle(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state in
      guard state.result == nil else { return [CheckedContinuation<Value, any Error>]() }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Waits for the result.
  ///
  /// Cancelling the task that waits ends the waiting, and nothing else.
  func value() async throws -> Value {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if let result = state.result { return result }
          if state.quitters.remove(waiter) != nil { return .failure(CancellationError()) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let found = state.waiters.removeValue(forKey: waiter)
        if found == nil { state.quitters.insert(waiter) }
        return found
      }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
