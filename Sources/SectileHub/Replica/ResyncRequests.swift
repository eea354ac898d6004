internal import Synchronization

/// Who waits until all rows are compared, and how they interrupt the task that follows the hub.
///
/// An attempt to follow the hub takes the requests that are there when it begins, and those that
/// come until it compares rows by itself. It answers them with the comparison, or with the error
/// that it ends with. A request that comes later interrupts it, and is the next attempt's.
final class ResyncRequests: Sendable {
  private typealias Continuation = CheckedContinuation<ReplicaResync, any Error>

  private enum Follower {
    /// It is not known yet who follows the hub.
    case undecided
    /// This process does.
    case here
    /// Another process does.
    case elsewhere
    /// The replica is closed.
    case nobody

    /// Why nobody here can do it; nil where it is done, or will be.
    var refusal: HubError? {
      switch self {
      case .undecided, .here: nil
      case .elsewhere:
        HubError(
          .notReplicator, message: "Another process follows the hub for this file",
          hint: "Have that process compare the rows (Replica.resync), or end it first.")
      case .nobody: HubError(.replicaClosed, message: "The replica is closed")
      }
    }
  }

  private struct State {
    var follower = Follower.undecided
    var lastNumber = 0
    var waiting: [Int: Continuation] = [:]
    var taken: [Int: Continuation] = [:]
    var interruptible: Task<Void, any Error>?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Tasks are cancelled and continuations resumed outside of it.
  private let state = Mutex(State())

  // MARK: - Asking

  /// Waits until all rows were compared, by a comparison that begins after this call.
  func request() async throws -> ReplicaResync {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add($0, number) }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.removeValue(forKey: number) ?? state.taken.removeValue(forKey: number)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  private func add(_ continuation: Continuation, _ number: Int) {
    let (refusal, running) = state.withLock { state -> ((any Error)?, Task<Void, any Error>?) in
      // Whoever cancels later finds it among those that wait.
      if Task.isCancelled { return (CancellationError(), nil) }
      if let refusal = state.follower.refusal { return (refusal, nil) }
      state.waiting[number] = continuation
      return (nil, state.interruptible)
    }
    if let refusal { continuation.resume(throwing: refusal) }
    running?.cancel()
  }

  // MARK: - Following

  /// Notes who follows the hub; requests that another process would have to answer are refused.
  func noteFollower(isHere: Bool) { enter(isHere ? .here : .elsewhere) }

  /// Refuses all requests, from now on.
  func close() { enter(.nobody) }

  private func enter(_ follower: Follower) {
    let refused = state.withLock { state -> [Continuation] in
      state.follower = follower
      guard follower.refusal != nil else { return [] }
      defer { (state.waiting, state.taken) = ([:], [:]) }
      return Array(state.waiting.values) + Array(state.taken.values)
    }
    guard let refusal = follower.refusal else { return }
    for continuation in refused { continuation.resume(throwing: refusal) }
  }

  /// Has the attempt answer the requests that are there.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  func take() -> Bool {
    state.withLock { state in
      state.taken.merge(state.waiting) { $1 }
      state.waiting = [:]
      return !state.taken.isEmpty
    }
  }

  /// Answers the requests that the attempt has taken.
  func answer(with resync: ReplicaResync) { finish(.success(resync)) }

  /// Tells the requests that the attempt has taken why it failed.
  func refuse(with error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<ReplicaResync, any Error>) {
    let taken = state.withLock { state in
      defer { state.taken = [:] }
      return state.taken
    }
    for continuation in taken.values { continuation.resume(with: result) }
  }

  /// Runs what a request cancels, also one that is there already and was not taken.
  func interruptible(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let isWanted = state.withLock { state in
      state.interruptible = task
      return state.waiting.isEmpty
    }
    if !isWanted { task.cancel() }
    defer { state.withLock { $0.interruptible = nil } }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
