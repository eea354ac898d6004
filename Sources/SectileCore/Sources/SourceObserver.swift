internal import Synchronization

/// One closure that observes a source, with the queue of what it has not yet received.
///
/// An immediate observer is called by the source's drain. Any other has a queue of its own: a hop
/// takes one event out, and the next hop is arranged only after the closure returned. So events stay
/// in order wherever the hops run.
final class SourceObserver<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Event = DataSourceEvent<ItemID, Item>

  private struct State {
    var isCancelled = false
    var events = FirstInFirstOut<Event>()
    var isHopUnderWay = false
  }

  private let delivery: Delivery
  private let handler: @Sendable (Event) -> Void
  private let state = Mutex(State())
  private let gate = CallbackGate()

  init(delivery: Delivery, handler: @escaping @Sendable (Event) -> Void) {
    self.delivery = delivery
    self.handler = handler
  }

  /// Whether the closure may still be called.
  var isActive: Bool { state.withLock { !$0.isCancelled } }

  /// Calls the closure now, or queues the event and arranges a hop.
  func receive(_ event: Event) {
    guard let run = delivery.run else {
      if isActive { handler(event) }
      return
    }
    let needsHop = state.withLock { state in
      guard !state.isCancelled else { return false }
      state.events.append(event)
      defer { state.isHopUnderWay = true }
      return !state.isHopUnderWay
    }
    if needsHop { run { self.hop() } }
  }

  /// Ends the observation.
  func cancel() {
    let rest = state.withLock { state in
      state.isCancelled = true
      return state.events.removeAll()
    }
    _ = rest  // Released outside the lock: what an item's release runs is not ours.
  }

  /// Forgets what is queued, and waits for a call that is running elsewhere.
  func discard() {
    guard delivery.run != nil else { return }
    let rest = state.withLock { $0.events.removeAll() }
    _ = rest
    gate.wait()
  }

  private func hop() {
    DrainScope.perform { scope in
      gate.pass(in: scope) {
        // Taken inside the gate: whoever discards finds the event either in the queue or in a call.
        if let event = state.withLock({ $0.events.popFirst() }) { handler(event) }
      }
    }
    let needsHop = state.withLock { state in
      state.isHopUnderWay = !state.events.isEmpty
      return state.isHopUnderWay
    }
    if needsHop { delivery.run?({ self.hop() }) }
  }
}
