internal import Synchronization

extension HubCore {
  /// Runs one cycle: inside the load that is open, if one is.
  @inline(__always)
  func run(_ cycle: ErasedCycle) {
    guard let work = cycle.derived() else { return }
    if let open = state.withLock({ $0.openLoad }) { return run(work, of: cycle, inside: open) }
    switch work {
    case .steps, .derive, .next:
      // Nil means that the source is stopped or gone.
      guard let audience = assemble(), announce(to: audience) else { return cycle.drop() }
      let isDone: Bool
      do {
        isDone = try runSteps(of: work, audience) && notify(.finished, .didFinishLoading, audience)
      } catch {
        isDone = notify(.failed, .didFail(error), audience)
      }
      if !isDone { cycle.drop() }
    case .open(let key): begin(key)
    case .part, .close: cycle.drop()  // The load was cancelled.
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
      guard gate.pass({ tell(.began, .willLoad, audience) }) else { return false }
      return state.withLock { $0.machine.handle(.announced, epoch: audience.epoch) }
    }
    let isCurrent = state.withLock { state in
      guard state.machine.handle(.began, epoch: audience.epoch) else { return false }
      return state.machine.handle(.announced, epoch: audience.epoch)
    }
    if isCurrent { record(.willLoad, audience) }
    return isCurrent
  }

  /// Flips the contents and delivers what changed; returns false where nobody listens any more.
  @inline(__always)
  func runSteps(of work: ErasedCycle.Work, _ audience: Audience) throws -> Bool {
    switch work {
    case .next(let source):
      return try deliver({ source.changes?.flip() }, audience)
    case .steps(var steps):
      var position = 0
      while position < steps.count {
        let step = steps[position]
        position += 1
        let next = try step.prepare()
        if !next.isEmpty { steps.insert(contentsOf: next, at: position) }
        // Nobody listens any more: what the remaining steps would read is not worth reading.
        guard try deliver(step.flip, audience), isCurrent(audience) else { return false }
      }
      return true
    case .derive, .open, .part, .close:
      return false  // Of another load than the one that is open.
    }
  }

  /// Flips the contents and delivers what changed; returns false where the cycle was abandoned.
  ///
  /// Both happen inside the gate: whoever cancels either waits until the change that readers see
  /// was told, or prevents it from being seen.
  @inline(__always)
  func deliver(
    _ flip: () throws -> (any ErasedChanges)?, _ audience: Audience
  ) throws -> Bool {
    return try gate.pass {
      guard isCurrent(audience) else { return false }
      guard let changes = try flip() else { return true }
      return tell(.changed, .didPartiallyLoad(changes), audience, isDue: true)
    }
  }

  func isCurrent(_ audience: Audience) -> Bool {
    state.withLock { $0.machine.epoch == audience.epoch } && audience.source.isAlive
  }

  /// Makes the last round of callbacks, and returns false where the cycle was over before it.
  func notify(
    _ event: LifecycleStateMachine.Event, _ callback: ErasedEvent, _ audience: Audience
  ) -> Bool {
    // Where nobody is called, nobody waits for a callback.
    if audience.isEmpty { return tell(event, callback, audience) }
    return gate.pass { tell(event, callback, audience) }
  }

  /// Makes one round of callbacks inside the gate, if there is somebody to call, so that whoever
  /// cancels either waits for the round or prevents it, and returns whether the cycle goes on.
  ///
  /// One that is due is made also where the source was cancelled on another thread meanwhile:
  /// readers see already what it tells of.
  private func tell(
    _ event: LifecycleStateMachine.Event, _ callback: ErasedEvent, _ audience: Audience,
    isDue: Bool = false
  ) -> Bool {
    let (isCurrent, isTold, delegate) = state.withLock { state in
      let isCurrent = state.machine.handle(event, epoch: audience.epoch)
      let isTold = isCurrent || (isDue && state.silentBefore <= audience.epoch)
      let isSame = audience.delegate != nil && state.delegateIdentity == audience.delegate
      return (isCurrent, isTold, isSame ? state.delegate : nil)
    }
    guard isTold else { return false }
    record(callback, audience)
    delegate?.receive(callback, from: audience.source)
    if audience.observers.isEmpty { return isCurrent }
    // What was just checked holds until somebody was called; an audience begins with its source
    // alive.
    var isChecked = delegate == nil && (event == .began || audience.source.isAlive)
    for observer in audience.observers {
      guard isChecked || isAudible(audience) else { break }
      observer.receive(callback, epoch: audience.epoch)
      isChecked = false
    }
    return isCurrent
  }

  /// Whether a round of callbacks that has begun goes on.
  private func isAudible(_ audience: Audience) -> Bool {
    state.withLock { $0.silentBefore <= audience.epoch } && audience.source.isAlive
  }
}
