internal import SectileCore
internal import Synchronization

extension CompositionEngine where Rule: EditableComposition {
  /// Changes which inputs there are, and in which order.
  ///
  /// ```text
  /// draft ─→ roster ─→ inputs that came are observed and loaded ─→ edit ─→ hub ─→ flip,
  ///          inputs that went are not listened to any more            one changeset
  /// ```
  ///
  /// - Parameters:
  ///   - followsCommit: Whether the edit is a part of the commit inside whose callback this is
  ///     called; else it is a commit by itself.
  ///   - change: Makes the change, on a copy; it is called again where another thread was faster.
  /// - Throws: What `change` throws; nothing is changed then.
  func edit<Failure: Error>(
    followsCommit: Bool = false,
    _ change: (inout RosterDraft<Rule>) throws(Failure) -> Void
  ) throws(Failure) {
    while true {
      let base = state.withLock { $0.roster }
      var draft = RosterDraft(base)
      try change(&draft)
      guard draft.isChanged || draft.conductorVersion != base.conductorVersion else { return }
      let next = Roster(draft, after: base)
      for source in draft.added.compactMap({ next.source(of: $0) }) {
        events.raise(above: source.events.height)
      }
      guard let step = replace(base, with: next, draft, followsCommit) else { continue }
      for observation in step.observations { observation.cancel() }
      if let life = step.life { show(next, draft, life, followsCommit, step.isAwaited) }
      // What went is released outside of the lock.
      withExtendedLifetime((base, step.forgotten)) { events.flush() }
      return
    }
  }

  /// What is left to do once the roster is another one.
  private struct Replacement {
    /// The observations of inputs that went, and what these told.
    var observations: [DataSourceObservation] = []
    var forgotten: [(input: Int?, error: any Error)] = []
    /// The life in which the inputs that came are to be shown; nil where that is done, or nobody
    /// listens.
    var life: Int?
    /// Whether the load that is open waits for that.
    var isAwaited = false
  }

  /// Makes a roster the current one; nil where another thread was faster.
  private func replace(
    _ base: Roster, with next: Roster, _ draft: RosterDraft<Rule>, _ followsCommit: Bool
  ) -> Replacement? {
    state.withLock { state in
      guard state.roster === base else { return nil }
      state.roster = next
      var step = Replacement()
      for number in draft.removed {
        step.observations += state.observations.removeValue(forKey: number) ?? []
        state.observedInputs.remove(number)
        state.unheardInputs.remove(number)
        state.failedInputs.remove(number)
        state.loadingInputs.remove(number)
        state.batches.forget(number)
      }
      if !draft.removed.isEmpty {
        step.forgotten = state.failures.filter { $0.input.map(draft.removed.contains) ?? false }
        state.failures.removeAll { $0.input.map(draft.removed.contains) ?? false }
        closeIfDone(&state)
      }
      guard state.isLive, draft.isChanged else { return step }
      if draft.added.isEmpty {
        submit(RosterEdit(next, draft, followsCommit: followsCommit), &state)
      } else {
        step.life = state.life
        step.isAwaited = state.load != nil
        if step.isAwaited { state.callsOfLoad += 1 }
      }
      return step
    }
  }

  /// Observes and loads the inputs that came, then queues that they are shown: what is loaded at
  /// once is there with them.
  private func show(
    _ roster: Roster, _ draft: RosterDraft<Rule>, _ life: Int, _ followsCommit: Bool,
    _ isAwaited: Bool
  ) {
    for number in roster.numbers where draft.added.contains(number) {
      guard let source = roster.source(of: number) else { continue }
      // Where a load of the whole was faster, it does this.
      if observe(number, source, life) { _ = load(number, life, source.load) }
    }
    state.withLock { state in
      guard state.life == life else { return }
      submit(RosterEdit(roster, draft, followsCommit: followsCommit), &state)
      guard isAwaited else { return }
      state.callsOfLoad -= 1
      closeIfDone(&state)
    }
  }

  // MARK: - Delivering

  /// Queues an edit; calls nobody.
  private func submit(_ edit: RosterEdit<Rule>, _ state: inout State) {
    state.edits.append(edit)
    submitCycle(for: edit, state.life)
  }

  /// Queues a cycle that follows the oldest edit: one that is early leaves it to a later one.
  private func submitCycle(for edit: RosterEdit<Rule>, _ life: Int) {
    let cycle = cycle(life) { engine, visible in engine.followOldestEdit(visible, life) }
    if edit.followsCommit { events.submit(cycle) } else { events.submitApart(cycle) }
  }

  private func followOldestEdit(_ visible: Visible, _ life: Int) -> Outcome {
    let (oldest, isEarly) = state.withLock { state -> (RosterEdit<Rule>?, Bool) in
      guard state.life == life, let edit = state.edits.first else { return (nil, false) }
      // An input that came may have followed a commit that others have yet to follow: first comes
      // what they told of it.
      if edit.hasAdditions, !state.batches.isEmpty { return (edit, true) }
      state.edits.removeFirst()
      return (edit, false)
    }
    guard let edit = oldest else { return Outcome() }
    if isEarly {
      submitCycle(for: edit, life)
      events.flush()
      return Outcome()
    }
    do {
      return Outcome(prepared: try follow(edit, visible))
    } catch {
      return Outcome(failures: [error])
    }
  }

  private func follow(_ edit: RosterEdit<Rule>, _ visible: Visible) throws -> Prepared? {
    guard let old = visible.result, let former = visible.roster else {
      return try catchUp(visible)
    }
    let roster = edit.roster
    guard roster.generation > former.generation else { return nil }
    let places = Dictionary(
      uniqueKeysWithValues: former.numbers.enumerated().map { ($0.element, $0.offset) })
    let inputs: [InputSnapshot] = zip(roster.numbers, roster.sources).map { number, source in
      places[number].map { visible.inputs[$0] } ?? source.snapshot
    }
    let result = try roster.rule.arrange(inputs)
    let next = Visible(
      version: visible.version, result: result, inputs: inputs, roster: roster)
    return prepared(
      next, Rule.changes(from: old, to: result, moved: edit.moved), since: visible)
  }
}
