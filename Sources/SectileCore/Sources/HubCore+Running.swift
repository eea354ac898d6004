internal import Synchronization

extension HubCore {
  /// Who hears of one cycle, and in which epoch it began.
  struct Audience {
    let epoch: Int
    let source: any SourceBinding
    /// Compared, never called.
    var delegate: ObjectIdentifier?
    let observers: [SourceObserver]

    /// Whether nobody hears of the cycle but asynchronous consumers.
    var isEmpty: Bool { delegate == nil && observers.isEmpty }
  }

  /// Runs one cycle: inside the load that is open, if one is.
  @inline(__always)
  func run(_ cycle: ErasedCycle) {
    guard cycle.isNeeded else { return }
    if let open = state.withLock({ $0.openLoad }) { return run(cycle, inside: open) }
    switch cycle.work {
    case .flip, .steps: run(cycle, for: assemble())
    case .open(let key): begin(key)
    case .part, .close: cycle.drop()  // The load was cancelled.
    }
  }

  /// Runs one cycle for those who hear of it; nil means that the source is stopped or gone.
  @inline(__always)
  func run(_ cycle: ErasedCycle, for audience: consuming Audience?) {
    guard let audience = consume audience, announce(to: audience), run(cycle.work, audience) else {
      cycle.drop()
      return
    }
  }

  /// Fixes who hears of a cycle: whoever did not hear its beginning does not hear the rest.
  @inline(__always)
  func assemble() -> Audience? {
    var delegate: (any DelegateBinding)?
    var audience: Audience? = state.withLock { state in
      guard let source = state.source, state.machine.state != .stopped else { return nil }
      delegate = state.delegate
      return Audience(
        epoch: state.machine.epoch, source: source, delegate: state.delegateIdentity,
        observers: state.observers)
    }
    // Asked outside of the lock, since what is released here may have been the last reference.
    guard audience?.source.isAlive == true else { return nil }
    if let delegate, !delegate.isAlive { audience?.delegate = nil }
    return audience
  }

  /// Tells that changes follow, and returns false where the cycle is over already.
  @inline(__always)
  func announce(to audience: Audience) -> Bool {
    guard audience.isEmpty else {
      return notify(.began, .willLoad, audience) && advance(.announced, audience) == .runStep
    }
    return state.withLock { state in
      guard state.machine.handle(.began, epoch: audience.epoch) != .abandon else { return false }
      return state.machine.handle(.announced, epoch: audience.epoch) == .runStep
    }
  }

  /// Runs the steps, and returns false where the cycle was abandoned.
  @inline(__always)
  private func run(_ work: ErasedCycle.Work, _ audience: Audience) -> Bool {
    do {
      guard try runSteps(of: work, audience) else { return false }
    } catch {
      return notify(.failed, .didFail(error), audience)
    }
    return notify(.finished, .didFinishLoading, audience)
  }

  /// Flips the contents and delivers what changed; returns false where nobody listens any more.
  @inline(__always)
  func runSteps(of work: ErasedCycle.Work, _ audience: Audience) throws -> Bool {
    switch work {
    case .flip(let flip):
      return deliver(try flip(), audience)
    case .steps(var steps):
      var position = 0
      while position < steps.count {
        let (changes, next) = try steps[position].run()
        position += 1
        if !next.isEmpty { steps.insert(contentsOf: next, at: position) }
        // Nobody listens any more: what the remaining steps would read is not worth reading.
        guard deliver(changes, audience), isCurrent(audience) else { return false }
      }
      return true
    case .open, .part, .close:
      return false  // Of another load than the one that is open.
    }
  }

  /// Delivers what a step changed, and returns false where the cycle was abandoned.
  @inline(__always)
  func deliver(_ changes: (any ErasedChanges)?, _ audience: Audience) -> Bool {
    guard let changes else { return true }
    post(changes, audience)
    return notify(.changed, .didPartiallyLoad(changes), audience)
  }

  func isCurrent(_ audience: Audience) -> Bool {
    state.withLock { $0.machine.epoch == audience.epoch } && audience.source.isAlive
  }

  private func advance(_ event: LifecycleStateMachine.Event, _ audience: Audience)
    -> LifecycleStateMachine.Action
  {
    state.withLock { $0.machine.handle(event, epoch: audience.epoch) }
  }

  /// Makes one round of callbacks, and returns false where the cycle is over before its end.
  func notify(
    _ event: LifecycleStateMachine.Event, _ callback: ErasedEvent, _ audience: Audience
  ) -> Bool {
    // Where nobody is called, nobody waits for a callback.
    guard !audience.isEmpty else { return advance(event, audience) != .abandon }
    return gate.pass {
      // Inside the gate, so that whoever cancels either waits for the callback or prevents it.
      let (action, delegate) = state.withLock { state in
        let action = state.machine.handle(event, epoch: audience.epoch)
        let isSame = audience.delegate != nil && state.delegateIdentity == audience.delegate
        return (action, isSame ? state.delegate : nil)
      }
      guard action != .abandon else { return false }
      delegate?.receive(callback, from: audience.source)
      // What was just checked holds until somebody was called; an audience begins with its source alive.
      var isChecked = delegate == nil && (event == .began || audience.source.isAlive)
      for observer in audience.observers {
        guard isChecked || isCurrent(audience) else { break }
        observer.receive(callback, epoch: audience.epoch)
        isChecked = false
      }
      return true
    }
  }

  /// Puts a changeset where asynchronous consumers find it.
  ///
  /// The mailboxes are looked up after the flip: one that was opened before must not miss the
  /// changeset, and one that was opened since can tell by its version that it is old.
  @inline(__always)
  private func post(_ changes: any ErasedChanges, _ audience: Audience) {
    let mailboxes: [any ChangesetPosting] = state.withLock { state in
      guard !state.mailboxes.isEmpty, state.machine.epoch == audience.epoch else { return [] }
      state.mailboxes.removeAll { $0.mailbox == nil }
      return state.mailboxes.compactMap { $0.mailbox }
    }
    for mailbox in mailboxes { mailbox.post(changes) }
  }
}
