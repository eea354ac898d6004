internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  func observeInputs(_ life: Int) {
    let isNeeded = state.withLock { $0.life == life && $0.observations.isEmpty }
    guard isNeeded else { return }
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
      guard state.life == life, state.observations.isEmpty else { return false }
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
        guard state.life == life else { return }
        state.loadingInputs.insert(number)
        open(&state)
      }
    case .didPartiallyLoad(let changes):
      // The input is in the middle of its own callback: what it shows is what the changes led to.
      let snapshot: InputSnapshot = inputs[number].snapshot
      queuePart(life) { try $0.follow(changes, to: snapshot, ofInput: number, life) }
    case .didFinishLoading:
      end(number, life)
    case .didFail(let error):
      note(error, ofInput: number, life)
      end(number, life)
    }
    hub.flush()
  }

  /// Does not wait any longer for an input whose load was cancelled.
  private func noteCancellation(ofInput number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life, state.loadingInputs.remove(number) != nil else { return }
      if state.failure == nil {
        state.failure = DataSourceError.inputCancelled(inputs[number].name)
      }
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

  func note(_ error: any Error, ofInput number: Int, _ life: Int) {
    let failure = DataSourceError.inputFailed(name: inputs[number].name, cause: error)
    state.withLock { state in
      guard state.life == life, state.failure == nil else { return }
      state.failure = inputs.count == 1 ? error : failure
    }
  }

  /// Queues a part of the open load; an input that was heard of in the middle of its own load opens
  /// one that ends at once.
  func queuePart(
    _ life: Int,
    _ part: @escaping @Sendable (CompositionEngine) throws -> Changeset<ItemID, Item>?
  ) {
    state.withLock { state in
      guard state.life == life else { return }
      open(&state)
      state.load?.append { [self] in try part(self) }
      closeIfDone(&state)
    }
  }
}
