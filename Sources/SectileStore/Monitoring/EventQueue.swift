internal import Dispatch
internal import Synchronization

/// Events on their way to somebody who listens, on a thread that waits for nothing else.
///
/// Whoever is slow loses events and is told how many, rather than keeping the store waiting or
/// filling the memory.
final class EventQueue: Sendable {
  /// How many events wait at most.
  static let limit = 1_024

  private struct State {
    var waitingCount = 0
    var droppedCount = 0
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "Sectile.events", qos: .utility)
  private let listen: @Sendable (StoreEvent) -> Void

  init(_ listen: @escaping @Sendable (StoreEvent) -> Void) { self.listen = listen }

  func send(_ event: StoreEvent) {
    let isWaiting = state.withLock { state in
      guard state.waitingCount < Self.limit else {
        state.droppedCount += 1
        return false
      }
      state.waitingCount += 1
      return true
    }
    guard isWaiting else { return }
    queue.async { [self] in
      listen(event)
      let droppedCount = state.withLock { state in
        state.waitingCount -= 1
        return state.waitingCount == 0 ? exchange(&state.droppedCount, with: 0) : 0
      }
      if droppedCount > 0 { listen(.dropped(count: droppedCount)) }
    }
  }
}
