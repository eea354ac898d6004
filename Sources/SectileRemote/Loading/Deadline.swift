internal import SectileCore

/// Runs an operation, and gives up on it where it takes too long or the task is cancelled.
///
/// Giving up is immediate: an operation that does not notice its cancellation goes on in vain, and
/// what it returns is dropped.
///
/// - Parameters:
///   - limit: How long the operation may take; nil for as long as it takes.
///   - configuration: The clock, and where to run the operation.
///   - late: The error where it takes too long.
///   - operation: What to run.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws, `late`, or `CancellationError`.
func withDeadline<Value: Sendable>(
  _ limit: Duration?, _ configuration: RemoteConfiguration, late: RemoteError,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let outcome = Outcome<Value>()
  let work = Task(executorPreference: configuration.executor) {
    do {
      outcome.settle(.success(try await operation()))
    } catch {
      outcome.settle(.failure(error))
    }
  }
  let timer = limit.map { limit in
    Task(executorPreference: configuration.executor) {
      // A clock that cannot measure the time leaves the operation without a limit.
      guard (try? await configuration.clock.sleep(for: limit.waitable)) != nil else { return }
      outcome.settle(.failure(late))
      work.cancel()
    }
  }
  defer { timer?.cancel() }
  return try await withTaskCancellationHandler {
    try await outcome.value()
  } onCancel: {
    work.cancel()
  }
}
