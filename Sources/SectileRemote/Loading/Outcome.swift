internal import SectileCore
internal import Synchronization

/// What something ends with: set once, awaited by any number of tasks.
final class Outcome<Value: Sendable>: Sendable {
  private typealias Settled = Result<Value, any Error>

  private struct State {
    var result: Settled?
    var waiters = Waiters<Settled>()
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`; tasks are woken outside.
  private let state = Mutex(State())

  /// Sets the result, and wakes all who wait for it; the second time nothing happens.
  func settle(_ result: Result<Value, any Error>) {
    let woken = state.withLock { state -> [Waiters<Settled>.Waiter] in
      guard state.result == nil else { return [] }
      state.result = result
      return state.waiters.removeAll()
    }
    for waiter in woken { waiter.resume(returning: result) }
  }

  /// Waits for the result.
  ///
  /// Cancelling the task that waits ends the waiting, and nothing else.
  func value() async throws -> Value {
    let cancellation = Settled.failure(CancellationError())
    let result = await Waiters.wait(cancellation: cancellation) { waiter in
      state.withLock { state -> Settled? in
        if state.result == nil { state.waiters.append(waiter) }
        return state.result
      }
    } removing: { number in
      state.withLock { $0.waiters.remove(number) }
    }
    return try result.get()
  }
}
