internal import Synchronization

extension HubCore {
  /// Flips the contents for the one cycle that waits where nobody is called.
  ///
  /// Such a cycle needs no drain: there is no callback that could cause anything. So it is not for
  /// cycles of several steps, which may do much, and not where changesets are merged for
  /// asynchronous consumers, since that compares the user's identities.
  ///
  /// - Returns: Whether there is something left to deliver.
  func flipUnheard() -> Bool {
    let (taken, isLeft) = takeUnheard()
    guard let (cycle, audience) = taken else { return isLeft }
    if cycle.isNeeded {
      run(cycle, for: audience.source.isAlive ? audience : nil)
    }
    return state.withLock { state in
      state.isDelivering = false
      return state.flushedCount > 0
    }
  }

  private func takeUnheard() -> (taken: (ErasedCycle, Audience)?, isLeft: Bool) {
    let isImmediate = delivery.run == nil
    return state.withLock { state in
      guard isImmediate, state.isUnheard, !state.isDelivering, state.openLoad == nil,
        state.machine.state != .stopped, let source = state.source,
        state.tickets.count == 1, let queued = state.cycles.first, queued.share == nil,
        case .flip = queued.cycle.work
      else { return (nil, !state.tickets.isEmpty) }
      _ = state.flush()
      _ = state.takeCycle()
      state.isDelivering = true
      let audience = Audience(
        epoch: state.machine.epoch, source: source, delegate: nil, observers: ObserverList(),
        isUnheard: true)
      return ((queued.cycle, audience), false)
    }
  }
}
