internal import Synchronization

/// Work that several callers wait for, and that ends when the last of them gives up.
final class SharedWork<Value: Sendable>: Sendable {
  private struct State {
    /// The caller that began the work waits from the beginning.
    var waiters = 1
    var isGivenUp = false
  }

  private let state = Mutex(State())
  private let task: Task<Value, any Error>

  /// Begins work on behalf of the caller.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    task = Task { try await work() }
  }

  /// Takes one more caller in, unless the work was given up.
  func join() -> Bool {
    state.withLock { state in
      guard !state.isGivenUp else { return false }
      state.waiters += 1
      return true
    }
  }

  /// Waits for the work.
  ///
  /// - Throws: What the work throws; `CancellationError` where the caller gave up.
  func value() async throws -> Value {
    try await withTaskCancellationHandler {
      let value = try await task.value
      try Task.checkCancellation()
      return value
    } onCancel: {
      leave()
    }
  }

  /// Gives the work up for everybody.
  func cancel() {
    state.withLock { $0.isGivenUp = true }
    task.cancel()
  }

  /// Waits until the work has ended, however it does.
  func end() async {
    _ = await task.result
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.waiters -= 1
      if state.waiters == 0 { state.isGivenUp = true }
      return state.waiters == 0
    }
    if isLast { task.cancel() }
  }
}
