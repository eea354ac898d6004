internal import Synchronization

/// The part of a ``DataSourceEvents`` that does not depend on the source's items: the queue of
/// cycles, the listeners, and the lifecycle.
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
    var observers = ObserverList()
    /// What is told, for asynchronous consumers, who hold it; nil where there never was one.
    var ring: WeakRing?
    /// Nothing more will be told to them, whatever becomes of the source.
    var isRingEnded = false
    /// Who is to be told of that.
    var endListeners: [CancellationListener] = []
    /// The cycles that wait, and apart from them, since they are looked at more often, their
    /// tickets.
    var cycles = FirstInFirstOut<QueuedCycle>()
    var tickets = FirstInFirstOut<UInt64>()
    /// How many of them, from the first on, were flushed.
    var flushedCount = 0
    /// The drain that lists the hub, of several the last.
    ///
    /// Compared, never called: a drain that is still named here has not come to that entry.
    var lister: ObjectIdentifier?
    /// A thread delivers, or a hop to the place of delivery is under way.
    var isDelivering = false
    /// The first cycle waits for others of its wave; whoever ends the last of these wakes the hub.
    var isPutAside = false
    /// Cycles of an earlier epoch call nobody any more, not even inside a round of callbacks.
    var silentBefore = 0
    /// The load that was begun and not ended, if any.
    var openLoad: OpenCycle?
    var cancellationListeners: [CancellationListener] = []
    /// The cycle of each commit, where the source's changes wait in a queue of its own.
    var next: ErasedCycle?

    /// Takes the next cycle that was flushed.
    mutating func takeCycle() -> (queued: QueuedCycle, ticket: UInt64)? {
      guard flushedCount > 0, let ticket = tickets.popFirst(), let queued = cycles.popFirst() else {
        return nil
      }
      flushedCount -= 1
      return (queued, ticket)
    }

    /// Drops all cycles; of those that count in a wave an empty one is left, which ends when its
    /// turn comes, in a drain.
    mutating func dropCycles() -> [ErasedCycle] {
      let (dropped, tickets) = (cycles.removeAll(), tickets.removeAll())
      let flushed = flushedCount
      flushedCount = 0
      for (number, queued) in dropped.enumerated() where queued.share != nil {
        cycles.append(QueuedCycle(cycle: .nothing, share: queued.share))
        self.tickets.append(tickets[number])
        if number < flushed { flushedCount += 1 }
      }
      return dropped.map(\.cycle)
    }
  }

  struct WeakRing {
    weak var ring: ChangeRing?
  }

  let state = Mutex(State())
  /// Whether the hub ever had a ring: what most hubs have not should cost them nothing.
  let hasRing = Atomic(false)
  /// Whether a composition ever showed the source.
  private let isComposed = Atomic(false)
  let gate = CallbackGate()
  let delivery: CallbackDelivery
  private let level: Atomic<Int>
  private static let lastTicket = Atomic<UInt64>(0)

  init(delivery: CallbackDelivery, height: Int = 0) {
    self.delivery = delivery
    level = Atomic(height)
  }

  /// How far the hub is above the sources: see ``Wave``.
  var height: Int { level.load(ordering: .relaxed) }

  /// Raises the hub, where it is lower; cycles that are submitted keep their height.
  func raise(to height: Int) {
    var current = level.load(ordering: .relaxed)
    while current < height {
      let (isRaised, original) = level.weakCompareExchange(
        expected: current, desired: height, ordering: .relaxed)
      if isRaised { return }
      current = original
    }
  }

  deinit {
    state.withLock { $0.ring?.ring }?.end()
  }

  // MARK: - Submitting

  /// Returns the next ticket: larger than every ticket before, of whichever source.
  static func drawTicket() -> UInt64 {
    lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Appends a cycle.
  ///
  /// What a composition submits from inside a callback belongs to the waves of that, unless a share
  /// in some is given.
  func submit(_ cycle: ErasedCycle, _ share: WaveShare? = nil) {
    let share = height == 0 ? nil : share ?? shareInCurrentWaves()
    state.withLock { state in
      state.tickets.append(share?.waves.first?.ticket ?? Self.drawTicket())
      state.cycles.append(QueuedCycle(cycle: cycle, share: share))
    }
  }

  /// Appends a cycle that follows no commit, wherever it is submitted: it is one by itself.
  func submitApart(_ cycle: ErasedCycle) {
    state.withLock { state in
      state.tickets.append(Self.drawTicket())
      state.cycles.append(QueuedCycle(cycle: cycle, share: nil))
    }
  }

  /// Names the source whose changes wait in a queue of its own; it is held weakly.
  package func bind(_ changes: any QueuedChanges) {
    let cycle = ErasedCycle(.next(WeakQueuedChanges(changes)))
    state.withLock { $0.next = cycle }
  }

  /// Appends the cycle that flips the oldest change of the queue that the hub is bound to.
  ///
  /// - Parameter wave: What the same commit sets going from other sources, too; nil where it
  ///   changes this one alone, and where ``joinsWaves`` is false.
  package func submitNext(in wave: Wave? = nil) {
    state.withLock { state in
      guard let cycle = state.next else { return }
      state.tickets.append(wave?.ticket ?? Self.drawTicket())
      state.cycles.append(
        QueuedCycle(cycle: cycle, share: wave.map { WaveShare(in: [$0], at: 0) }))
    }
  }

  /// Takes note that a composition shows the source.
  func noteComposition() { isComposed.store(true, ordering: .relaxed) }

  /// Whether what a commit changes is told together with what it changes elsewhere: compositions
  /// may show both, and they are called where the commit is made.
  package var joinsWaves: Bool { delivery.run == nil && isComposed.load(ordering: .relaxed) }

  private func shareInCurrentWaves() -> WaveShare? {
    let waves = Wave.current
    return waves.isEmpty ? nil : WaveShare(in: waves, at: height)
  }

  /// Drops what waits, and returns what is to be done about it outside of every lock.
  ///
  /// A round of callbacks on another thread is made to its end, since whoever cancels waits for it:
  /// what readers see already is told. One inside of which the caller stands ends at once.
  func stop() -> @Sendable () -> Void {
    let isEntered = gate.isEntered
    return state.withLock { state in
      state.machine.handle(.cancelled, epoch: state.machine.epoch)
      if isEntered { state.silentBefore = state.machine.epoch }
      let dropped = state.dropCycles()
      let open = state.openLoad
      state.openLoad = nil
      let (observers, epoch) = (state.observers, state.machine.epoch)
      let listeners = state.cancellationListeners
      let ring = state.ring?.ring
      let events = observers.map { $0.discard(before: epoch) }
      return { [gate] in
        // Held until here, since releasing items may run the user's code.
        withExtendedLifetime((events, open)) {}
        for cycle in dropped { cycle.drop() }
        gate.wait()
        for observer in observers { observer.wait() }
        ring?.end()
        for listener in listeners { listener.action() }
      }
    }
  }

  // MARK: - Draining

  /// What a hub has for a drain that comes to it.
  enum Turn {
    /// Nothing is to be done, or another thread is at it and sees to the rest.
    case nothing
    /// The next cycle has a larger ticket than the one the hub was listed for.
    case later(UInt64)
    /// A cycle runs now that has this ticket; ``endTurn(in:)`` follows.
    case cycle(QueuedCycle, UInt64)
    /// A cycle runs at the place of delivery: a hop has to go there.
    case hop
  }

  /// Flushes what waits.
  ///
  /// - Parameters:
  ///   - drain: The drain that is to list the hub.
  ///   - count: Grows by the number of cycles that were not flushed before.
  /// - Returns: The ticket to list the hub under; nil where the drain lists it already, or a thread
  ///   is at it, which looks for more when its cycle ended, or it is put aside.
  func flush(in drain: ObjectIdentifier, counting count: inout Int) -> UInt64? {
    state.withLock { state in
      count += state.tickets.count - state.flushedCount
      state.flushedCount = state.tickets.count
      guard !state.isDelivering, !state.isPutAside, state.lister != drain,
        let first = state.tickets.first
      else {
        return nil
      }
      state.lister = drain
      return first
    }
  }

  /// Hands the next cycle to a drain that comes to the hub, unless another is at it.
  ///
  /// - Parameters:
  ///   - ticket: The ticket for which the hub was listed.
  ///   - drain: The drain inside which the calling code runs.
  /// - Returns: What the drain has to do.
  @inline(__always)
  func takeTurn(_ ticket: UInt64, in drain: ObjectIdentifier) -> Turn {
    let isImmediate = delivery.run == nil
    return state.withLock { state in
      if state.lister == drain { state.lister = nil }
      guard !state.isDelivering, !state.isPutAside, state.flushedCount > 0,
        let first = state.tickets.first
      else {
        return .nothing
      }
      guard first <= ticket else {
        state.lister = drain
        return .later(first)
      }
      if height > 0, let share = state.cycles.first?.share, share.putAside(self) {
        state.isPutAside = true
        return .nothing
      }
      state.isDelivering = true
      guard isImmediate, let taken = state.takeCycle() else { return .hop }
      gate.begin(drain)
      return .cycle(taken.queued, taken.ticket)
    }
  }

  /// Ends the cycle that ``takeTurn(_:in:)`` handed out.
  ///
  /// - Returns: The ticket under which the drain lists the hub; nil where nothing else was flushed.
  @inline(__always)
  func endTurn(in drain: ObjectIdentifier) -> UInt64? {
    state.withLock { state in
      gate.end()
      state.isDelivering = false
      guard state.flushedCount > 0, let next = state.tickets.first else { return nil }
      state.lister = drain
      return next
    }
  }

  /// Ends a hop, and returns whether there is something for another.
  func endHop() -> Bool {
    state.withLock { state in
      state.isDelivering = state.flushedCount > 0
      return state.isDelivering
    }
  }

  /// Takes note that the cycles are ended for which the hub was put aside.
  func wake() {
    state.withLock { $0.isPutAside = false }
  }
}
