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
      observations.append(
        input.events.observeCancellation { [weak self] in
          self?.noteCancellation(ofInput: number, life)
        })
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
      note(.changed(changes, to: inputs[number].snapshot), ofInput: number, life)
    case .didFinishLoading:
      end(number, life)
    case .didFail(let error):
      fail(number, error, life)
    }
    events.flush()
  }

  /// Queues that what is visible is brought to what all inputs show.
  func queueCatchingUp(_ life: Int) {
    let cycle = cycle(life) { engine, visible in
      // Some inputs may have followed a commit that others have yet to follow: first comes what they
      // told of it.
      if visible.result != nil, engine.state.withLock({ !$0.batches.isEmpty }) {
        engine.queueCatchingUp(life)
        engine.events.flush()
        return Outcome()
      }
      do {
        return Outcome(prepared: try engine.catchUp(visible))
      } catch {
        return Outcome(failures: [error])
      }
    }
    state.withLock { state in
      if state.life == life { events.submit(cycle) }
    }
  }

  /// Notes what an input told until the composition's turn comes, together with what others tell of
  /// the same commit.
  private func note(_ news: News.Kind, ofInput number: Int, _ life: Int) {
    let waves = Wave.current
    state.withLock { state in
      if state.life == life { note(News(input: number, kind: news), in: waves, &state) }
    }
  }

  private func note(_ news: News, in waves: [Wave], _ state: inout State) {
    let made = state.batches.add(
      news, ofInput: news.input, in: waves, join: { events.join(waves) })
    guard let (batch, share) = made else { return }
    let life = state.life
    let cycle = cycle(life) { engine, visible in
      let news = engine.state.withLock { $0.life == life ? $0.batches.take(batch) : [] }
      return engine.follow(news, visible)
    }
    events.submit(cycle, share)
  }

  /// Returns a cycle that changes what is visible.
  ///
  /// What the inputs' changes mean here is worked out when its turn comes, before anything is
  /// announced: where they mean nothing, nobody is called. A failure is told after what is good.
  private func cycle(
    _ life: Int, _ change: @escaping @Sendable (CompositionEngine, Visible) -> Outcome
  ) -> LoadCycle<ItemID, Item> {
    typealias Step = LoadCycle<ItemID, Item>.Step
    return LoadCycle(deriving: { [self] in
      guard let outcome = prepare(change, life) else { return nil }
      var steps = [Step(flip: { outcome.prepared.flatMap { self.flip(to: $0, life) } })]
      if let failure = outcome.failures.first { steps.append(Step(flip: { throw failure })) }
      return steps
    })
  }

  /// Does not wait any longer for an input whose load was cancelled.
  private func noteCancellation(ofInput number: Int, _ life: Int) {
    let name = inputs[number].name
    state.withLock { state in
      guard state.life == life, state.loadingInputs.remove(number) != nil else { return }
      if state.failure == nil { state.failure = DataSourceError.inputCancelled(name) }
      closeIfDone(&state)
    }
    events.flush()
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
    let waves = Wave.current
    state.withLock { state in
      guard state.life == life else { return }
      if state.load == nil {
        note(News(input: number, kind: .failed(failure)), in: waves, &state)
      } else {
        if state.failure == nil { state.failure = failure }
        state.loadingInputs.remove(number)
        closeIfDone(&state)
      }
    }
  }
}
