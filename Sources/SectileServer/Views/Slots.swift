#if Server
  internal import Synchronization

  /// Lets so many tasks at a time do something; others wait for their turn, in the order in which
  /// they come.
  final class Slots: Sendable {
    private struct State {
      var free: Int
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; nobody is woken inside.
    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: max(1, count))) }

    /// Runs a closure when there is a slot.
    ///
    /// - Parameter body: Does it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func take<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
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
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.waiting.isEmpty else {
          state.free += 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
  }
#endif
