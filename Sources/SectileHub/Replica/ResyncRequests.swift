internal import SectileCore
internal import Synchronization

/// Who waits until all rows are compared, and how they interrupt the task that follows the hub.
///
/// An attempt to follow the hub takes the requests that are there when it begins, and those that
/// come until it compares rows by itself. It answers them with the comparison, or with the error
/// that it ends with. A request that comes later interrupts it, and is the next attempt's.
final class ResyncRequests: Sendable {
  private typealias Answer = Result<ReplicaResync, any Error>

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
    var waiting = Waiters<Answer>()
    var taken = Waiters<Answer>()
    var interruptible: Task<Void, any Error>?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Tasks are cancelled and woken outside of it.
  private let state = Mutex(State())

  // MARK: - Asking

  /// Waits until all rows were compared, by a comparison that begins after this call.
  func request() async throws -> ReplicaResync {
    // What is cancelled already interrupts nothing.
    try Task.checkCancellation()
    let answer = await Waiters<Answer>.wait(cancellation: .failure(CancellationError())) { waiter in
      let (refusal, running) = state.withLock { state -> (Answer?, Task<Void, any Error>?) in
        if let refusal = state.follower.refusal { return (.failure(refusal), nil) }
        state.waiting.append(waiter)
        return (nil, state.interruptible)
      }
      running?.cancel()
      return refusal
    } removing: { number in
      state.withLock { $0.waiting.remove(number) ?? $0.taken.remove(number) }
    }
    return try answer.get()
  }

  // MARK: - Following

  /// Notes who follows the hub; requests that another process would have to answer are refused.
  func noteFollower(isHere: Bool) { enter(isHere ? .here : .elsewhere) }

  /// Refuses all requests, from now on.
  func close() { enter(.nobody) }

  private func enter(_ follower: Follower) {
    let refused = state.withLock { state -> [Waiters<Answer>.Waiter] in
      state.follower = follower
      guard follower.refusal != nil else { return [] }
      return state.waiting.removeAll() + state.taken.removeAll()
    }
    guard let refusal = follower.refusal else { return }
    for waiter in refused { waiter.resume(returning: .failure(refusal)) }
  }

  /// Has the attempt answer the requests that are there.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  func take() -> Bool {
    state.withLock { state in
      state.taken.appendAll(of: &state.waiting)
      return !state.taken.isEmpty
    }
  }

  /// Answers the requests that the attempt has taken.
  func answer(with resync: ReplicaResync) { finish(.success(resync)) }

  /// Tells the requests that the attempt has taken why it failed.
  func refuse(with error: any Error) { finish(.failure(error)) }

  private func finish(_ answer: Answer) {
    let taken = state.withLock { $0.taken.removeAll() }
    for waiter in taken { waiter.resume(returning: answer) }
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
