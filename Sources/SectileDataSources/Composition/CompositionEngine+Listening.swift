internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  /// Observes all inputs that are not observed so far.
  func observeInputs(_ life: Int) {
    let roster = state.withLock { state -> Roster? in
      guard state.life == life else { return nil }
      return state.roster
    }
    guard let roster else { return }
    for (number, input) in zip(roster.numbers, roster.sources) { observe(number, input, life) }
  }

  /// Observes an input, unless it is observed, or none any more.
  ///
  /// - Returns: Whether it was left to this call.
  @discardableResult
  func observe(_ number: Int, _ input: InputSource, _ life: Int) -> Bool {
    observe(number, life) {
      input.events.noteComposition()
      return [
        input.observe { [weak self] event in self?.receive(event, fromInput: number, life) },
        input.events.observeCancellation { [weak self] in
          self?.noteCancellation(ofInput: number, life)
        },
        input.events.observeEnd { [weak self] in self?.endIfInputsEnded() },
      ]
    }
  }

  /// Ends the composition's sequences when its inputs' stores are closed, all of them.
  ///
  /// One whose inputs are edited by hand lives on: others may come.
  func observeEnds(of inputs: [InputSource]) {
    let end: @Sendable () -> Void = { [weak self] in self?.endIfInputsEnded() }
    let observations =
      conductor.map { [$0.observeEnd(end)] } ?? inputs.map { $0.events.observeEnd(end) }
    endings.withLock { $0 = observations }
    // What had ended before was heard of before anybody could tell.
    endIfInputsEnded()
  }

  private func endIfInputsEnded() {
    guard endings.withLock({ !$0.isEmpty }), conductor?.hasEnded() ?? true,
      state.withLock({ $0.roster }).sources.allSatisfy({ $0.events.hasEnded })
    else { return }
    events.endSequences()
  }

  /// Observes what says which inputs there are, and brings the roster to what that shows.
  func observeConductor(_ life: Int) {
    guard let conductor else { return }
    observe(Conductor<Rule>.number, life) { conductor.observe(self, life) }
    for error in conductor.catchUp(self) { fail(error, life) }
  }

  @discardableResult
  private func observe(
    _ number: Int, _ life: Int, _ observations: () -> [DataSourceObservation]
  ) -> Bool {
    let isMine = state.withLock { state in
      guard state.life == life, state.isInput(number),
        state.observedInputs.insert(number).inserted
      else { return false }
      state.unheardInputs.insert(number)
      return true
    }
    guard isMine else { return false }
    let made = observations()
    let isTaken = state.withLock { state in
      guard state.life == life, state.isInput(number) else { return false }
      state.observations[number] = made
      return true
    }
    if !isTaken { for observation in made { observation.cancel() } }
    return true
  }

  private func receive(
    _ event: DataSourceEvent<Rule.InputID, Rule.InputItem>, fromInput number: Int, _ life: Int
  ) {
    switch event {
    case .willLoad:
      noteLoading(number, life)
    case .didPartiallyLoad(let changes):
      let source = state.withLock { state -> Roster.Source? in
        guard state.life == life else { return nil }
        state.failedInputs.remove(number)
        return state.roster.source(of: number)
      }
      guard let source else { break }
      events.raise(above: source.events.height)
      // The input is in the middle of its own callback: what it shows is what the changes led to.
      note(.changed(changes, to: source.snapshot), ofInput: number, life)
    case .didFinishLoading:
      queueWhatWasMissed(ofInput: number, life)
      end(number, life)
    case .didFail(let error):
      queueWhatWasMissed(ofInput: number, life)
      fail(number, error, life)
    }
    events.flush()
  }

  /// Keeps the load that is open going while an input loads.
  func noteLoading(_ number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life, state.load != nil, state.isInput(number) else { return }
      state.loadingInputs.insert(number)
    }
  }

  /// Queues that what is visible is brought to what all inputs show; a load that is open lasts
  /// until that is done.
  ///
  /// - Parameters:
  ///   - life: The composition's life that it is for.
  ///   - isNeeded: Says when its turn comes whether that is to be done.
  func queueCatchingUp(
    _ life: Int, where isNeeded: @escaping @Sendable (Visible) -> Bool = { _ in true }
  ) {
    state.withLock { state in
      guard state.life == life else { return }
      let isAwaited = state.load != nil
      if isAwaited { state.callsOfLoad += 1 }
      events.submit(catchingUp(life, isAwaited: isAwaited, where: isNeeded))
    }
  }

  private func catchingUp(
    _ life: Int, isAwaited: Bool, where isNeeded: @escaping @Sendable (Visible) -> Bool
  ) -> LoadCycle<ItemID, Item> {
    cycle(life) { engine, visible in
      let isDue = isNeeded(visible)
      // Some inputs may have followed a commit that others have yet to follow: first comes what
      // they told of it.
      if isDue, visible.result != nil, engine.hasNews {
        engine.state.withLock { state in
          guard state.life == life else { return }
          engine.events.submit(engine.catchingUp(life, isAwaited: isAwaited, where: isNeeded))
        }
        engine.events.flush()
        return Outcome()
      }
      defer { if isAwaited { engine.endCall(life) } }
      guard isDue else { return Outcome() }
      do {
        return Outcome(prepared: try engine.catchUp(visible))
      } catch {
        return Outcome(failures: [error])
      }
    }
  }

  /// Whether inputs have told what the composition has yet to come to.
  private var hasNews: Bool { state.withLock { !$0.batches.isEmpty } }

  /// Queues that what is visible is brought to what an input shows, where the input did not tell of
  /// it: at the end of the first cycle that it told of.
  ///
  /// Who begins to observe a source while another thread is about to change it is not told of that
  /// change, and may have read what was there before.
  private func queueWhatWasMissed(ofInput number: Int, _ life: Int) {
    let source = state.withLock { state in
      state.life == life && state.unheardInputs.remove(number) != nil
        ? state.roster.source(of: number) : nil
    }
    guard let version = source?.version else { return }
    // What the input told stands before it.
    queueCatchingUp(life) { visible in
      visible.roster?.position(of: number).map { visible.inputs[$0].version < version } ?? false
    }
  }

  /// Notes what an input told until the composition's turn comes, together with what others tell of
  /// the same commit.
  func note(_ news: News.Kind, ofInput number: Int, _ life: Int) {
    let waves = Wave.current
    state.withLock { state in
      guard state.life == life, state.isInput(number) else { return }
      note(News(input: number, kind: news), in: waves, &state)
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
  func cycle(
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
  func noteCancellation(ofInput number: Int, _ life: Int) {
    let name = name(ofInput: number)
    state.withLock { state in
      guard state.life == life, state.loadingInputs.remove(number) != nil else { return }
      state.failures.append((number, DataSourceError.inputCancelled(name.text)))
      closeIfDone(&state)
    }
    events.flush()
  }

  func end(_ number: Int, _ life: Int) {
    state.withLock { state in
      guard state.life == life else { return }
      state.loadingInputs.remove(number)
      state.failedInputs.remove(number)
      if state.awaitsRecovery, state.failedInputs.isEmpty, state.load == nil {
        events.submit(recovery(life))
      }
      closeIfDone(&state)
    }
  }

  /// Tells that a failure is over, unless changes that came of it have said so.
  private func recovery(_ life: Int) -> LoadCycle<ItemID, Item> {
    cycle(life) { engine, _ in
      Outcome(isRecovery: engine.state.withLock { $0.awaitsRecovery && $0.failedInputs.isEmpty })
    }
  }

  /// Tells of an input's failure: with the end of the load that is open, or at once.
  func fail(_ number: Int, _ error: any Error, _ life: Int) {
    let name = name(ofInput: number)
    let failure: any Error =
      name.isNeeded ? DataSourceError.inputFailed(name: name.text, cause: error) : error
    let waves = Wave.current
    state.withLock { state in
      guard state.life == life, state.isInput(number) else { return }
      state.failedInputs.insert(number)
      state.awaitsRecovery = true
      if state.load == nil {
        note(News(input: number, kind: .failed(failure)), in: waves, &state)
      } else {
        state.failures.append((number, failure))
        state.loadingInputs.remove(number)
        closeIfDone(&state)
      }
    }
  }

  /// Tells of a failure that is no input's: with the end of the load that is open, or at once.
  func fail(_ error: any Error, _ life: Int) {
    let waves = Wave.current
    state.withLock { state in
      guard state.life == life else { return }
      if state.load == nil {
        note(News(input: Conductor<Rule>.number, kind: .refused(error)), in: waves, &state)
      } else {
        state.failures.append((nil, error))
      }
    }
  }

  /// Returns what an error calls an input, and whether it has to.
  private func name(ofInput number: Int) -> (text: String, isNeeded: Bool) {
    if number == Conductor<Rule>.number { return (conductor?.name ?? "", true) }
    return state.withLock { $0.roster }.name(of: number)
  }
}

extension CompositionEngine.State {
  /// Whether a number is one of an input, or of the conductor.
  func isInput(_ number: Int) -> Bool {
    number == Conductor<Rule>.number || roster.position(of: number) != nil
  }
}
