internal import Synchronization

/// The part of a ``SourceHub`` that does not depend on the source's items: the queue of cycles, the
/// listeners, and the lifecycle.
///
/// It is not generic, so that its state has a fixed layout and its code is compiled once for all
/// sources. What it hands to the listeners is erased, and made whole again by those who know the
/// items: ``BoundDelegate``, and the closures of the observers.
package final class HubCore: Sendable {
  // MARK: - Mutable state
  //
  // Everything in `State` is guarded by `state`, and read or replaced inside it; cycles, listeners
  // and steps are called, and released, outside of it.
  struct State {
    var machine = LifecycleStateMachine()
    var source: (any SourceBinding)?
    var delegate: (any DelegateBinding)?
    /// The one that `delegate` refers to.
    ///
    /// Compared, never called: the delegate may be released, or replaced, at any time.
    var delegateIdentity: ObjectIdentifier?
    var observers: [SourceObserver] = []
    var mailboxes: [WeakMailbox] = []
    /// The cycles that wait, and apart from them, since they are looked at more often, their
    /// tickets.
    var cycles = FirstInFirstOut<ErasedCycle>()
    var tickets = FirstInFirstOut<UInt64>()
    /// Cycles up to this ticket were flushed.
    var releasedThrough: UInt64 = 0
    /// A thread delivers, or a hop to the place of delivery is under way.
    var isDelivering = false
    /// The load that was begun and not ended, if any.
    var openLoad: OpenCycle?
    var cancellationListeners: [CancellationListener] = []

    /// Whether there is nobody to call, and no changeset to put anywhere.
    var isUnheard: Bool { delegate == nil && observers.isEmpty && mailboxes.isEmpty }

    /// Takes the next cycle that may be delivered.
    mutating func takeCycle(through ticket: UInt64) -> ErasedCycle? {
      let limit = min(ticket, releasedThrough)
      guard let first = tickets.first, first <= limit else { return nil }
      _ = tickets.popFirst()
      return cycles.popFirst()
    }
  }

  struct WeakMailbox {
    weak var mailbox: (any ChangesetPosting)?
  }

  let state = Mutex(State())
  let gate = CallbackGate()
  let delivery: Delivery

  init(delivery: Delivery) {
    self.delivery = delivery
  }

  deinit {
    for mailbox in state.withLock({ $0.mailboxes.compactMap { $0.mailbox } }) { mailbox.finish() }
  }

  // MARK: - Submitting

  /// Appends a cycle.
  func submit(_ cycle: ErasedCycle) {
    state.withLock { state in
      state.tickets.append(DrainScope.drawTicket())
      state.cycles.append(cycle)
    }
  }

  /// Drops what waits, and returns what is to be done about it outside of every lock.
  func stop() -> @Sendable () -> Void {
    state.withLock { state in
      _ = state.machine.handle(.cancelled, epoch: state.machine.epoch)
      let dropped = state.cycles.removeAll()
      let open = state.openLoad
      state.openLoad = nil
      _ = state.tickets.removeAll()
      let (observers, epoch) = (state.observers, state.machine.epoch)
      let listeners = state.cancellationListeners
      let events = observers.map { $0.discard(before: epoch) }
      return { [gate] in
        // Held until here, since releasing items may run the user's code.
        withExtendedLifetime((events, open)) {}
        for cycle in dropped { cycle.drop() }
        gate.wait()
        for observer in observers { observer.wait() }
        for listener in listeners { listener.action() }
      }
    }
  }

  // MARK: - Draining

  /// How many cycles wait, the ticket of the first, and whether there is nobody to call.
  var waiting: (count: Int, first: UInt64, isUnheard: Bool) {
    state.withLock { ($0.tickets.count, $0.tickets.first ?? 0, $0.isUnheard) }
  }

  /// The tickets of the cycles that wait, ascending.
  func waitingTickets() -> [UInt64] {
    state.withLock { $0.tickets.elements(through: .max) }
  }

  /// Delivers the waiting cycles up to a ticket, or leaves them to whoever is at it.
  ///
  /// - Parameters:
  ///   - ticket: The ticket of the last cycle to deliver.
  ///   - scope: The drain inside which the calling code runs.
  /// - Returns: The tickets another thread asked to deliver meanwhile, for the caller to see to.
  func deliver(through ticket: UInt64, in scope: DrainScope) -> [UInt64] {
    let isImmediate = delivery.run == nil
    var (isMine, next): (Bool, ErasedCycle?) = state.withLock { state in
      state.releasedThrough = max(state.releasedThrough, ticket)
      guard !state.isDelivering, let first = state.tickets.first, first <= ticket else {
        return (false, nil)
      }
      state.isDelivering = true
      return (true, isImmediate ? state.takeCycle(through: ticket) : nil)
    }
    guard isMine else { return [] }
    if let run = delivery.run {
      run { self.hop() }
      return []
    }
    var others: [UInt64] = []
    gate.begin(scope)
    while let cycle = next {
      run(cycle)
      next = takeNext(through: ticket, &others)
    }
    return others
  }

  /// Takes the next cycle, or ends the delivery and notes what other threads flushed meanwhile.
  private func takeNext(through ticket: UInt64, _ others: inout [UInt64]) -> ErasedCycle? {
    let (cycle, rest): (ErasedCycle?, [UInt64]) = state.withLock { state in
      if let cycle = state.takeCycle(through: ticket) { return (cycle, []) }
      gate.end()
      state.isDelivering = false
      return (nil, state.tickets.elements(through: state.releasedThrough))
    }
    if cycle == nil { others = rest }
    return cycle
  }

  /// Runs one cycle at the place of delivery, then arranges the next hop.
  private func hop() {
    DrainScope.perform { scope in
      gate.begin(scope)
      if let cycle = state.withLock({ $0.takeCycle(through: .max) }) { run(cycle) }
      gate.end()
    }
    let hasMore = state.withLock { state in
      state.isDelivering = (state.tickets.first ?? .max) <= state.releasedThrough
      return state.isDelivering
    }
    if hasMore { delivery.run?({ self.hop() }) }
  }
}
