internal import Synchronization

/// Work that several callers wait for, and that ends when the last of them gives up.
final class SharedWork<Value: Sendable>: Sendable {
  /// Lets callers in to wait for work, as long as the work may yet do what they ask for.
  final class Entrance: Sendable {
    private struct State {
      /// The caller that began the work waits from the beginning.
      var waiters = 1
      var isClosed = false
    }

    private let state = Mutex(State())

    /// How many callers wait.
    var waiterCount: Int { state.withLock { $0.waiters } }

    /// Takes one more caller in, unless the entrance is closed.
    func join() -> Bool {
      state.withLock { state in
        guard !state.isClosed else { return false }
        state.waiters += 1
        return true
      }
    }

    /// Takes nobody in any more: the work was given up, or has done all that it will do.
    func close() {
      state.withLock { $0.isClosed = true }
    }

    /// Lets a caller go.
    ///
    /// - Returns: Whether it was the last.
    fileprivate func leave() -> Bool {
      state.withLock { state in
        state.waiters -= 1
        if state.waiters == 0 { state.isClosed = true }
        return state.waiters == 0
      }
    }
  }

  private let entrance: Entrance
  private let task: Task<Value, any Error>

  /// Begins work on behalf of the caller.
  ///
  /// - Parameter work: Does the work; it closes the entrance once it has done all that it will do.
  init(_ work: @escaping @Sendable (Entrance) async throws -> Value) {
    let entrance = Entrance()
    self.entrance = entrance
    task = Task { try await work(entrance) }
  }

  /// How many callers wait.
  var waiterCount: Int { entrance.waiterCount }

  /// Takes one more caller in, unless the work was given up, or has done all that it will do.
  func join() -> Bool { entrance.join() }

  /// Waits for the work.
  ///
  /// - Throws: What the work throws; `CancellationError` where the caller gave up.
  func value() async throws -> Value {
    try await withTaskCancellationHandler {
      let value = try await task.value
      try Task.checkCancellation()
      return value
    } onCancel: {
      if entrance.leave() { task.cancel() }
    }
  }

  /// Gives the work up for everybody.
  func cancel() {
    entrance.close()
    task.cancel()
  }

  /// Waits until the work has ended, however it does.
  func end() async {
    _ = await task.result
  }
}
