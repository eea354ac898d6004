internal import GRDB
internal import Synchronization

/// An access of a task to a connection, which can be given up at once as long as its turn has not
/// come.
///
/// GRDB finds out that a task was cancelled when the connection is free for it. So the access waits
/// on a task of its own, and whoever asked for it waits for either.
///
/// ```text
///  caller          ──┬─ waits ────────┬─ cancelled: throws
///  its own task      └─ waits for the connection ──────────┬─ finds nothing to do
///  connection        others' work ─────────────────────────┘
/// ```
final class AwaitedAccess<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Database) throws -> Value

  private struct State {
    /// What is to be done; nil once it has begun, or nobody waits for it any more.
    var body: Body?
    var caller: CheckedContinuation<Value, any Error>?
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state: Mutex<State>

  /// - Parameter body: What is to be done; let go of before ``run(through:)`` returns.
  init(_ body: @escaping Body) { state = Mutex(State(body: body)) }

  /// Waits for the connection, and has it done.
  ///
  /// - Parameter access: Runs a closure on the connection.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; `CancellationError`.
  func run(
    through access: @escaping @Sendable (Body) async throws -> Value
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.caller = caller }
          return state.isCancelled
        }
        guard !isCancelled else { return caller.resume(throwing: CancellationError()) }
        let task = Task { [self] in
          do {
            let value = try await access { db in try begin()(db) }
            end(.success(value))
          } catch {
            end(.failure(error))
          }
        }
        let isLate = state.withLock { state in
          if state.caller != nil { state.task = task }
          return state.isCancelled
        }
        if isLate { task.cancel() }
      }
    } onCancel: {
      cancel()
    }
  }

  private func begin() throws -> Body {
    try state.withLock { state in
      guard let body = state.body.take() else { throw CancellationError() }
      return body
    }
  }

  private func end(_ result: Result<Value, any Error>) {
    let caller = state.withLock { state in
      (state.body, state.task) = (nil, nil)
      return state.caller.take()
    }
    caller?.resume(with: result)
  }

  private func cancel() {
    let (caller, task) = state.withLock { state in
      state.isCancelled = true
      // What has begun ends by itself, and tells how.
      let hasBegun = state.body == nil
      state.body = nil
      return (hasBegun ? nil : state.caller.take(), state.task)
    }
    task?.cancel()
    caller?.resume(throwing: CancellationError())
  }
}
