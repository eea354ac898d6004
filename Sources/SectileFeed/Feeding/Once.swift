internal import Synchronization

/// A value that is made by the first who asks for it; others wait for it, and none twice.
final class Once<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private enum State {
    case nothing
    /// Somebody is making it; these wait.
    case making([CheckedContinuation<Outcome, Never>])
    case made(Outcome)
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; the value is made outside of it.
  private let state = Mutex(State.nothing)

  /// Returns the value.
  ///
  /// - Parameter make: Makes it; called once, or never.
  /// - Returns: The value, and whether it was made just now.
  /// - Throws: What making it threw, for everybody.
  func value(
    _ make: () throws -> Value
  ) async throws -> (value: Value, isNew: Bool) {
    let (known, isFirst) = state.withLock { state -> (Outcome?, Bool) in
      switch state {
      case .nothing:
        state = .making([])
        return (nil, true)
      case .making: return (nil, false)
      case .made(let outcome): return (outcome, false)
      }
    }
    if let known { return (try known.get(), false) }
    if !isFirst { return (try await made().get(), false) }
    let outcome = Outcome { try make() }
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      defer { state = .made(outcome) }
      if case .making(let waiting) = state { return waiting }
      return []
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
    return (try outcome.get(), true)
  }

  private func made() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Outcome? in
        switch state {
        case .making(let waiting):
          state = .making(waiting + [continuation])
          return nil
        case .made(let outcome): return outcome
        // Once begun, it is never nothing again.
        case .nothing: return .failure(CancellationError())
        }
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
