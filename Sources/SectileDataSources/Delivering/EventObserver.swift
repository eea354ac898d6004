internal import SectileCore
internal import Synchronization

/// One closure that is told of events, with the queue of those it has not yet received.
///
/// One thread at a time calls it. Whoever flushes while another thread is at it, or from inside the
/// closure, returns at once, and the one that is at it goes on with what was submitted.
final class EventObserver<Event: Sendable>: Sendable {
  // MARK: - Mutable state
  //
  // All of it guarded by `state`; events are delivered and released outside of it.
  private struct State {
    var isCancelled = false
    var waiting: [Event] = []
    /// A thread delivers, or a hop to the place of delivery is under way.
    var isDelivering = false
  }

  private let delivery: Delivery
  private let handler: @Sendable (Event) -> Void
  private let state = Mutex(State())

  init(delivery: Delivery, handler: @escaping @Sendable (Event) -> Void) {
    self.delivery = delivery
    self.handler = handler
  }

  /// Queues an event; calls nobody.
  func submit(_ event: Event) {
    state.withLock { if !$0.isCancelled { $0.waiting.append(event) } }
  }

  /// Delivers what waits, or arranges a hop for it.
  func flush() {
    let isMine = state.withLock { state in
      guard !state.isDelivering, !state.waiting.isEmpty else { return false }
      state.isDelivering = true
      return true
    }
    guard isMine else { return }
    if let run = delivery.run {
      run { self.deliver() }
    } else {
      deliver()
    }
  }

  /// Ends the calls.
  func cancel() {
    let rest = state.withLock { state in
      state.isCancelled = true
      defer { state.waiting = [] }
      return state.waiting
    }
    withExtendedLifetime(rest) {}
  }

  private func deliver() {
    while let events = take() {
      for event in events where !state.withLock({ $0.isCancelled }) { handler(event) }
    }
  }

  /// Takes what waits, or ends the delivery.
  private func take() -> [Event]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isDelivering = false
        return nil
      }
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
