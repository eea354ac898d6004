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

  private let delivery: CallbackDelivery
  private let collapsing: EventCollapsing<Event>?
  private let handler: @Sendable (Event) -> Void
  private let state = Mutex(State())

  init(
    delivery: CallbackDelivery, collapsing: EventCollapsing<Event>? = nil,
    handler: @escaping @Sendable (Event) -> Void
  ) {
    self.delivery = delivery
    self.collapsing = collapsing
    self.handler = handler
  }

  /// Queues an event; calls nobody.
  func submit(_ event: Event) {
    state.withLock { if !$0.isCancelled { $0.waiting.append(event) } }
  }

  /// Delivers what waits, or arranges a hop for it.
  func flush() {
    let (isMine, dropped) = state.withLock { state -> (Bool, [Event]) in
      // Not in `submit`, whose caller may hold a lock while what is dropped is released.
      var dropped: [Event] = []
      if let collapsing, state.waiting.count > collapsing.limit {
        dropped = state.waiting
        state.waiting = collapsing.collapse(dropped)
      }
      guard !state.isDelivering, !state.waiting.isEmpty else { return (false, dropped) }
      state.isDelivering = true
      return (true, dropped)
    }
    withExtendedLifetime(dropped) {}
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
      for event in events where mayBegin() { handler(event) }
    }
  }

  /// Marks the beginning of a call: it is before a cancellation, or there is no call.
  private func mayBegin() -> Bool { state.withLock { !$0.isCancelled } }

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
