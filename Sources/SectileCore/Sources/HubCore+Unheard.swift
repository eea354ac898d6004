internal import Synchronization

extension HubCore {
  /// Flips the contents for the one cycle that waits where nobody is called, and returns what else
  /// there is to deliver.
  ///
  /// Such a cycle needs no drain: there is no callback that could cause anything. So it is not for
  /// cycles of several steps, which may do much, and not where changesets are merged for
  /// asynchronous consumers, since that compares the user's identities.
  ///
  /// - Parameter ticket: The ticket of the cycle.
  /// - Returns: The tickets another thread asked to deliver meanwhile; nil where there is somebody
  ///   to call, and nothing was done.
  func flipUnheard(_ ticket: UInt64) -> [UInt64]? {
    guard let (cycle, audience) = takeUnheard(ticket) else { return nil }
    if cycle.isNeeded {
      run(cycle, for: audience.source.isAlive ? audience : nil)
    }
    return state.withLock { state in
      state.isDelivering = false
      return state.tickets.elements(through: state.releasedThrough)
    }
  }

  private func takeUnheard(_ ticket: UInt64) -> (ErasedCycle, Audience)? {
    guard delivery.run == nil else { return nil }
    return state.withLock { state in
      guard state.isUnheard, !state.isDelivering, state.openLoad == nil,
        state.machine.state != .stopped, let source = state.source,
        state.tickets.first == ticket, let cycle = state.cycles.first, case .flip = cycle.work
      else { return nil }
      _ = state.tickets.popFirst()
      _ = state.cycles.popFirst()
      state.releasedThrough = max(state.releasedThrough, ticket)
      state.isDelivering = true
      let audience = Audience(
        epoch: state.machine.epoch, source: source, delegate: nil, observers: [])
      return (cycle, audience)
    }
  }
}
