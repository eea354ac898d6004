internal import Synchronization

/// Lets so many tasks at a time do something; others wait for their turn, in the order in which
/// they come.
package final class Slots: Sendable {
  private struct State {
    var free: Int
    var waiting = FirstInFirstOut<CheckedContinuation<Void, Never>>()
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; nobody is woken inside.
  private let state: Mutex<State>

  /// Creates slots that are all free.
  ///
  /// - Parameter count: How many; there is always one.
  package init(count: Int) { state = Mutex(State(free: max(1, count))) }

  /// Runs a closure when there is a slot.
  ///
  /// Cancelling the task does not end its waiting: what is cancelled has its turn, and ends there.
  ///
  /// - Parameter body: Does it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func take<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer { leave() }
    return try await body()
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
