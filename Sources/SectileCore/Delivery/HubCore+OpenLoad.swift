internal import Synchronization

extension HubCore {
  /// Announces a load that is ended by a later cycle.
  func begin(_ key: LoadKey) {
    guard let audience = assemble() else { return }
    state.withLock { $0.openLoad = OpenCycle(key: key, audience: audience) }
    if !announce(to: audience) { forget(key) }
  }

  /// Runs a cycle as a part of the open load.
  func run(_ work: ErasedCycle.Work, of cycle: ErasedCycle, inside open: OpenCycle) {
    guard open.audience.source.isAlive else {
      forget(open.key)
      return cycle.drop()
    }
    var open = open
    if !admitNewcomers(to: &open) { return cycle.drop() }
    do {
      switch work {
      case .close(let key, let error) where key === open.key:
        end(open, error)
      case .part(let key, let flip) where key === open.key:
        if !(try deliver(flip, open.audience)) { cycle.drop() }
      default:
        if try !runSteps(of: work, open.audience) { cycle.drop() }
      }
    } catch {
      state.withLock { state in
        if state.openLoad?.key === open.key, state.openLoad?.failure == nil {
          state.openLoad?.failure = error
        }
      }
    }
  }

  /// Tells those who began to listen while the load was open that it has begun, before they hear of
  /// more of it: a load may be open for long.
  ///
  /// - Returns: False where the load was cancelled.
  private func admitNewcomers(to open: inout OpenCycle) -> Bool {
    let known = open.audience
    let (newcomers, isNewDelegate, audience) = state.withLock { state in
      let newcomers = state.observers.newer(than: known.observers)
      let isNew = state.delegateIdentity != nil && state.delegateIdentity != known.delegate
      let audience = Audience(
        epoch: known.epoch, source: known.source, delegate: state.delegateIdentity,
        observers: state.observers)
      return (newcomers, isNew, audience)
    }
    if newcomers.isEmpty, audience.delegate == known.delegate { return true }
    open.audience = audience
    let key = open.key
    return gate.pass {
      let (isOpen, delegate) = state.withLock { state in
        guard state.openLoad?.key === key else { return (false, (any DelegateBinding)?.none) }
        state.openLoad?.audience = audience
        let isSame = isNewDelegate && state.delegateIdentity == audience.delegate
        return (true, isSame ? state.delegate : nil)
      }
      guard isOpen else { return false }
      delegate?.receive(.willLoad, from: audience.source)
      for observer in newcomers where isCurrent(audience) {
        observer.receive(.willLoad, epoch: audience.epoch)
      }
      return isCurrent(audience)
    }
  }

  private func end(_ open: OpenCycle, _ error: (any Error)?) {
    forget(open.key)
    if let error = error ?? open.failure {
      _ = notify(.failed, .didFail(error), open.audience)
    } else {
      _ = notify(.finished, .didFinishLoading, open.audience)
    }
  }

  private func forget(_ key: LoadKey) {
    let former = state.withLock { state in
      defer { if state.openLoad?.key === key { state.openLoad = nil } }
      return state.openLoad
    }
    // Released outside of the lock.
    withExtendedLifetime(former) {}
  }
}
