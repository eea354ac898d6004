internal import Synchronization

/// What every source delivers through: it holds the listeners, queues the cycles, and makes the
/// callbacks in the lifecycle's grammar, in the order of submission, outside every lock.
///
/// A source submits a cycle where the order of its changes is decided, possibly while it holds a
/// lock or the database's writer, and flushes once it holds nothing any more:
///
/// ```swift
/// let (hub, cycle) = contents.withLock { … ; hub.submit(cycle) }   // appends, calls nobody
/// SourceHub.flush([hub])                                           // calls
/// ```
///
/// One thread at a time delivers for a hub. Whoever flushes while another thread is at it returns
/// at once, and that thread delivers the new cycles right after its current one. Whoever flushes
/// from inside a callback returns at once too: see ``DrainScope``.
///
/// The source owns the hub, the hub refers to the source weakly. Steps should hold on to the
/// source's contents, not to the source itself.
package final class SourceHub<ItemID: Hashable & Sendable, Item: Sendable>: HubFlushing, Sendable {
  package typealias Cycle = LoadCycle<ItemID, Item>
  package typealias Source = any DataSource<ItemID, Item>
  package typealias Delegate = any DataSourceDelegate<ItemID, Item>
  typealias Observer = SourceObserver<ItemID, Item>
  typealias Mailbox = ChangesetMailbox<ItemID, Item>

  // MARK: - Mutable state
  //
  // Everything in `State` is guarded by `state`, and read or replaced inside it; cycles, listeners
  // and steps are called, and released, outside of it.
  struct State {
    var machine = LifecycleStateMachine()
    weak var source: Source?
    weak var delegate: Delegate?
    var observers: [Observer] = []
    var mailboxes: [WeakMailbox] = []
    /// The cycles that wait, and apart from them, since they are looked at more often and are not
    /// generic, their tickets.
    var cycles = FirstInFirstOut<Cycle>()
    var tickets = FirstInFirstOut<UInt64>()
    /// Cycles up to this ticket were flushed.
    var releasedThrough: UInt64 = 0
    /// A thread delivers, or a hop to the place of delivery is under way.
    var isDelivering = false
  }

  struct WeakMailbox {
    weak var mailbox: Mailbox?
  }

  let state = Mutex(State())
  private let delivery: Delivery
  private let gate = CallbackGate()

  /// Creates a hub that makes its callbacks in the given place.
  package init(delivery: Delivery = .immediate) {
    self.delivery = delivery
  }

  deinit {
    for mailbox in state.withLock({ $0.mailboxes.compactMap { $0.mailbox } }) { mailbox.finish() }
  }

  /// Names the source on whose behalf callbacks are made; it is held weakly.
  package func bind(_ source: Source) {
    state.withLock { $0.source = source }
  }

  /// Who hears of loads and changes; held weakly.
  ///
  /// A delegate that is set while a cycle runs hears of the next one; one that is replaced hears
  /// nothing more.
  package var delegate: Delegate? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// Whether the source was cancelled and not loaded since.
  package var isStopped: Bool { state.withLock { $0.machine.state == .stopped } }

  // MARK: - Submitting

  /// Appends a cycle.
  ///
  /// Calls nobody, whatever the caller holds.
  package func submit(_ cycle: Cycle) {
    state.withLock { state in
      state.tickets.append(DrainScope.drawTicket())
      state.cycles.append(cycle)
    }
  }

  /// Delivers what was submitted, or leaves it to whoever is at it.
  package func flush() {
    DrainScope.flush([self])
  }

  /// Delivers what was submitted to several hubs, in the order of submission.
  package static func flush(_ hubs: [any HubFlushing]) {
    DrainScope.flush(hubs)
  }

  // MARK: - Stopping

  /// Drops what waits and makes no further callback until ``resume()``.
  ///
  /// Waits for a callback that is running on another thread, but not when called from inside a
  /// callback of this source. A cycle under way ends without a callback.
  package func cancel() {
    stop()()
  }

  /// Does the part of ``cancel()`` that calls nobody, whatever the caller holds: a source that
  /// guards its own state stops the hub under the same lock.
  ///
  /// - Returns: The rest, to be called once the caller holds nothing any more: it tells the cycles
  ///   that were dropped, and waits.
  package func stop() -> @Sendable () -> Void {
    state.withLock { state in
      _ = state.machine.handle(.cancelled, epoch: state.machine.epoch)
      let dropped = state.cycles.removeAll()
      _ = state.tickets.removeAll()
      let (observers, epoch) = (state.observers, state.machine.epoch)
      let events = observers.map { $0.discard(before: epoch) }
      return { [gate] in
        // Held until here, since releasing items may run the user's code.
        withExtendedLifetime(events) {}
        for cycle in dropped { cycle.onDropped() }
        gate.wait()
        for observer in observers { observer.wait() }
      }
    }
  }

  /// Takes cycles again after ``cancel()``.
  ///
  /// Calls nobody.
  package func resume() {
    state.withLock { state in
      _ = state.machine.handle(.resumed, epoch: state.machine.epoch)
    }
  }

  // MARK: - Draining

  package func waitingTickets() -> [UInt64] {
    state.withLock { $0.tickets.elements(through: .max) }
  }

  package func deliver(through ticket: UInt64) -> [UInt64] {
    let isMine = state.withLock { state in
      state.releasedThrough = max(state.releasedThrough, ticket)
      guard !state.isDelivering, let first = state.tickets.first, first <= ticket else {
        return false
      }
      state.isDelivering = true
      return true
    }
    guard isMine else { return [] }
    guard let run = delivery.run else { return drain(through: ticket) }
    run { self.hop() }
    return []
  }

  /// Runs cycles up to a ticket, then hands back what other threads flushed meanwhile.
  private func drain(through ticket: UInt64) -> [UInt64] {
    DrainScope.perform { scope in
      while let cycle = takeCycle(through: ticket) { run(cycle, in: scope) }
    }
    return state.withLock { state in
      state.isDelivering = false
      return state.tickets.elements(through: state.releasedThrough)
    }
  }

  /// Runs one cycle at the place of delivery, then arranges the next hop.
  private func hop() {
    DrainScope.perform { scope in
      if let cycle = takeCycle(through: .max) { run(cycle, in: scope) }
    }
    let hasMore = state.withLock { state in
      state.isDelivering = (state.tickets.first ?? .max) <= state.releasedThrough
      return state.isDelivering
    }
    if hasMore { delivery.run?({ self.hop() }) }
  }

  private func takeCycle(through ticket: UInt64) -> Cycle? {
    state.withLock { state in
      let limit = min(ticket, state.releasedThrough)
      guard let first = state.tickets.first, first <= limit else { return nil }
      _ = state.tickets.popFirst()
      return state.cycles.popFirst()
    }
  }

  // MARK: - Running one cycle

  private func run(_ cycle: Cycle, in scope: DrainScope) {
    guard cycle.isStillNeeded() else { return }
    guard let audience = assemble(), notify(.began, .willLoad, audience, scope),
      advance(.announced, audience) == .runStep, runSteps(of: cycle, audience, scope)
    else {
      cycle.onDropped()
      return
    }
  }

  /// Returns false where the cycle was abandoned.
  private func runSteps(of cycle: Cycle, _ audience: Audience<ItemID, Item>, _ scope: DrainScope)
    -> Bool
  {
    var steps = cycle.steps
    var next = 0
    while next < steps.count {
      let step = steps[next]
      next += 1
      do {
        let outcome = try step.run()
        if !outcome.next.isEmpty { steps.insert(contentsOf: outcome.next, at: next) }
        if let changes = outcome.changes, !changes.isEmpty {
          post(changes, audience)
          guard notify(.changed, .didPartiallyLoad(changes), audience, scope) else { return false }
        }
      } catch {
        return notify(.failed, .didFail(error), audience, scope)
      }
      // Nobody listens any more: what the remaining steps would read is not worth reading.
      guard isCurrent(audience) else { return false }
    }
    return notify(.finished, .didFinishLoading, audience, scope)
  }

  /// Fixes who hears of a cycle: whoever did not hear its beginning does not hear the rest.
  private func assemble() -> Audience<ItemID, Item>? {
    state.withLock { state in
      guard state.source != nil, state.machine.state != .stopped else { return nil }
      return Audience(
        epoch: state.machine.epoch, delegate: state.delegate, observers: state.observers)
    }
  }

  private func isCurrent(_ audience: Audience<ItemID, Item>) -> Bool {
    state.withLock { $0.machine.epoch == audience.epoch && $0.source != nil }
  }

  private func advance(_ event: LifecycleStateMachine.Event, _ audience: Audience<ItemID, Item>)
    -> LifecycleStateMachine.Action
  {
    state.withLock { $0.machine.handle(event, epoch: audience.epoch) }
  }

  /// Makes one round of callbacks, and returns false where the cycle is over before its end.
  private func notify(
    _ event: LifecycleStateMachine.Event, _ callback: DataSourceEvent<ItemID, Item>,
    _ audience: Audience<ItemID, Item>, _ scope: DrainScope
  ) -> Bool {
    var isAlive = true
    gate.pass(in: scope) {
      // Inside the gate, so that whoever cancels either waits for the callback or prevents it.
      guard advance(event, audience) != .abandon else {
        isAlive = false
        return
      }
      callDelegate(callback, audience)
      for observer in audience.observers where isCurrent(audience) {
        observer.receive(callback, epoch: audience.epoch)
      }
    }
    return isAlive
  }

  private func callDelegate(
    _ callback: DataSourceEvent<ItemID, Item>, _ audience: Audience<ItemID, Item>
  ) {
    let (source, current) = state.withLock { ($0.source, $0.delegate) }
    guard let source, let delegate = current, audience.includes(delegate) else { return }
    switch callback {
    case .willLoad: delegate.dataSourceWillLoad(source)
    case .didPartiallyLoad(let changes): delegate.dataSource(source, didPartiallyLoad: changes)
    case .didFinishLoading: delegate.dataSourceDidFinishLoading(source)
    case .didFail(let error): delegate.dataSource(source, didFailWith: error)
    }
  }

  /// Puts a changeset where asynchronous consumers find it.
  ///
  /// The mailboxes are looked up after the flip: one that was opened before must not miss the
  /// changeset, and one that was opened since can tell by its version that it is old.
  private func post(_ changes: Changeset<ItemID, Item>, _ audience: Audience<ItemID, Item>) {
    let mailboxes: [Mailbox] = state.withLock { state in
      guard !state.mailboxes.isEmpty, state.machine.epoch == audience.epoch else { return [] }
      state.mailboxes.removeAll { $0.mailbox == nil }
      return state.mailboxes.compactMap { $0.mailbox }
    }
    for mailbox in mailboxes { mailbox.post(changes) }
  }
}

/// Who hears of one cycle, and in which epoch it began.
private struct Audience<ItemID: Hashable & Sendable, Item: Sendable> {
  let epoch: Int
  /// Compared, never called: the delegate may be released, or replaced, at any time.
  private let delegate: ObjectIdentifier?
  let observers: [SourceObserver<ItemID, Item>]

  init(
    epoch: Int, delegate: (any DataSourceDelegate<ItemID, Item>)?,
    observers: [SourceObserver<ItemID, Item>]
  ) {
    self.epoch = epoch
    self.delegate = delegate.map { ObjectIdentifier($0) }
    self.observers = observers
  }

  func includes(_ other: any DataSourceDelegate<ItemID, Item>) -> Bool {
    delegate == ObjectIdentifier(other)
  }
}
