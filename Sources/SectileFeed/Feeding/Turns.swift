internal import Synchronization

/// Lets one task after another do something, in the order in which they come.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; nobody is woken inside.
  private let state = Mutex(State())

  /// Runs a closure when it is the task's turn.
  ///
  /// - Parameter body: Does it; it is short, since nobody's waiting can be cancelled.
  /// - Returns: What `body` returns.
  func take<Value: Sendable>(_ body: () async -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    let value = await body()
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
    return value
  }
}
