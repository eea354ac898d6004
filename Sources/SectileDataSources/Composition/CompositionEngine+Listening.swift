internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  func observeInputs(_ life: Int) {
    let isMine = state.withLock { state in
      guard state.life == life, !state.isObserving else { return false }
      state.isObserving = true
      return true
    }
    guard isMine else { return }
    var observations: [DataSourceObservation] = []
    for (number, input) in inputs.enumerated() {
      observations.append(
        input.observe { [weak self] event in self?.receive(event, fromInput: number, life) })
      if let input = input as? any CancellationTelling {
        observations.append(
          input.observeCancellation { [weak self] in self?.noteCancellation(ofInput: number, life) }
        )
      }
    }
    let made = observations
    let isTaken = state.withLock { state in
      guard state.life == life else { return false }
      state.observations = made
      return true
    }
    if !isTaken { for observation in observations { observation.cancel() } }
  }

  private func receive(
    _ event: DataSourceEvent<Rule.InputID, Rule.InputItem>, fromInput number: Int, _ life: Int
  ) {
    switch event {
    case .willLoad:
      state.withLock { state in
        if state.life == life, state.load != nil { state.loadingInputs.insert(number) }
      }
    case .didPartiallyLoad(let changes):
      // The input is in the middle of its own callback: what it shows is what the changes led to.
      let snapshot: InputSnapshot = inputs[number].snapshot
      queue(life) { try $0.follow(changes, to: snapshot, ofInput: number, $1) }
    case .didFinishLoading:
      end(number, life)
    case .didFail(let error):
      fail(number, error, life)
    }
    hub.flush()
  }

  /// Queues a change of what is visible.
  ///
  /// What the input's change means here is worked out when its turn comes, before anything is
  /// announced: where it means nothing, nobody is called.
  func queue(
    _ life: Int,
    _ change: @escaping @Sendable (CompositionEngine, Visible) throws -> Prepared?
  ) {
    let box = PreparedBox<Prepared>()
    let cycle = LoadCycle<ItemID, Item>(isStillNeeded: { [self] in
      box.set(prepare(change, life))
    }) { [self] in
      try box.take().flatMap { flip(to: try $0.get(), life) }
    }
    state.withLock { state in
      if state.life == life { hub.submit(cycle) }
    }
  }

  /// Does not wait any longer for an input whose load was cancelled.
  private func noteCancellation(ofInput number: Int, _ life: Int) {
    let name = inputs[number].name
    state.withLock { state in
      guard state.life == life, state.loadingInputs.remove(number) != nil else { return }
      if state.failure == nil { state.failure = DataSourceError.inputCancelled(name) }
      closeIfDone(&state)
    }
    hub.flush()
  }

  private func end(_ number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life else { return }
      state.loadingInputs.remove(number)
      closeIfDone(&state)
    }
  }

  /// Tells of an input's failure: with the end of the load that is open, or at once.
  func fail(_ number: Int, _ error: any Error, _ life: Int) {
    let failure: any Error =
      inputs.count == 1
      ? error : DataSourceError.inputFailed(name: inputs[number].name, cause: error)
    state.withLock { state in
      guard state.life == life else { return }
      if state.load == nil {
        hub.submit(.failed(failure))
      } else {
        if state.failure == nil { state.failure = failure }
        state.loadingInputs.remove(number)
        closeIfDone(&state)
      }
    }
  }
}
