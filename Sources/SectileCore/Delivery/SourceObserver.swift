internal import Synchronization

/// One closure that observes a source, with the queue of what it has not yet received.
///
/// An immediate observer is called by the source's drain. Any other has a queue of its own: a hop
/// takes one event out, and the next hop is arranged only after the closure returned. So events
/// stay in order wherever the hops run.
///
/// What it observes is a hub of any items: the closure knows which.
final class SourceObserver: Sendable {
  typealias Event = ErasedEvent

  private struct State {
    var isCancelled = false
    /// Events of an earlier epoch are not received any more: the source was cancelled since.
    var epoch = 0
    var events = FirstInFirstOut<Event>()
    var isHopUnderWay = false
  }

  private let delivery: CallbackDelivery
  private let handler: @Sendable (Event) -> Void
  private let state = Mutex(State())
  private let gate = CallbackGate()

  init(delivery: CallbackDelivery, handler: @escaping @Sendable (Event) -> Void) {
    self.delivery = delivery
    self.handler = handler
  }

  /// Whether the closure may still be called.
  var isActive: Bool { state.withLock { !$0.isCancelled } }

  /// Calls the closure now, or queues the event and arranges a hop.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - epoch: The epoch of the cycle it belongs to.
  func receive(_ event: Event, epoch: Int) {
    guard let run = delivery.run else {
      if isActive { handler(event) }
      return
    }
    let needsHop = state.withLock { state in
      guard !state.isCancelled, state.epoch <= epoch else { return false }
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

  /// Takes back what is queued, and refuses what else belongs to an earlier epoch.
  ///
  /// - Parameter epoch: The epoch that begins.
  /// - Returns: What was queued, to be released outside of every lock.
  func discard(before epoch: Int) -> [Event] {
    state.withLock { state in
      state.epoch = epoch
      return state.events.removeAll()
    }
  }

  /// Waits for a call that is running elsewhere.
  func wait() {
    if delivery.run != nil { gate.wait() }
  }

  private func hop() {
    gate.perform { _ in
      gate.pass {
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
