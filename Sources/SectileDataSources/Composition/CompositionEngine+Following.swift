internal import SectileCore
internal import Synchronization

extension CompositionEngine {
  /// The next version, ready to be flipped to.
  struct Prepared: Sendable {
    let next: Visible
    let changes: Changeset<ItemID, Item>
  }

  /// What came of the inputs' changes.
  struct Outcome: Sendable {
    var prepared: Prepared?
    /// What went wrong.
    var failures: [any Error] = []
    /// Whether one of them is an input's own.
    var hasInputFailed = false
    /// Whether an input's failure is over that listeners heard of.
    var isRecovery = false
  }

  /// Works changes out; where nothing is different for a reader, they take effect at once.
  ///
  /// - Returns: What to flip to, and what went wrong; nil where there is nothing to tell of.
  func prepare(
    _ change: (CompositionEngine, Visible) -> Outcome, _ life: Int
  ) -> Outcome? {
    guard let visible = state.withLock({ $0.life == life ? $0.visible : nil }) else { return nil }
    var outcome = change(self, visible)
    if let prepared = outcome.prepared, prepared.changes.isEmpty {
      _ = flip(to: prepared, life)
      outcome.prepared = nil
    }
    // One cycle ends with one of them.
    for failure in outcome.failures.dropFirst() { events.submit(.failed(failure)) }
    if outcome.failures.count > 1 { events.flush() }
    guard outcome.prepared != nil || !outcome.failures.isEmpty || outcome.isRecovery else {
      return nil
    }
    state.withLock { $0.awaitsRecovery = outcome.hasInputFailed || !$0.failedInputs.isEmpty }
    return outcome
  }

  /// Follows what inputs told, one after another, and adds up what is different.
  ///
  /// What cannot be followed is a failure beside the others; the next change of its input catches
  /// up with it.
  func follow(_ news: [News], _ visible: Visible) -> Outcome {
    var outcome = Outcome()
    var current = visible
    for one in news {
      do {
        guard let step = try follow(one, of: news, current) else { continue }
        let changes = try sum(outcome.prepared?.changes, step, since: visible)
        outcome.prepared = Prepared(next: step.next, changes: changes)
        current = step.next
      } catch {
        if case .failed = one.kind { outcome.hasInputFailed = true }
        outcome.failures.append(error)
      }
    }
    outcome.prepared = outcome.prepared.map { prepared in
      self.prepared(prepared.next, prepared.changes, since: visible)
    }
    return outcome
  }

  /// Returns the changes so far and those of one more step as one changeset.
  private func sum(
    _ changes: Changeset<ItemID, Item>?, _ step: Prepared, since visible: Visible
  ) throws -> Changeset<ItemID, Item> {
    guard let changes, !changes.isEmpty else { return step.changes }
    guard !step.changes.isEmpty else { return changes }
    do {
      return try changes.merging(step.changes)
    } catch {
      // Of a source that tells of changes it did not make: what it shows counts.
      guard let old = visible.result, let new = step.next.result else { throw error }
      return try WholeComparison(old: old, new: new).changes()
        .leading(from: changes.sourceVersion, to: step.changes.targetVersion)
    }
  }

  /// Brings what is visible to what all inputs show now.
  func catchUp(_ visible: Visible) throws -> Prepared? {
    let roster = state.withLock { $0.roster }
    let now: [InputSnapshot] = roster.sources.map { $0.snapshot }
    let isCurrent =
      visible.roster?.generation == roster.generation
      && zip(visible.inputs, now).allSatisfy { $0.version == $1.version }
    return isCurrent ? nil : try arrangeAnew(now, roster, visible)
  }

  /// Queues a change of what is shown that no input has told of.
  ///
  /// - Parameter change: Returns what is shown from then on, given the rule and what was shown; nil
  ///   where that stays.
  func change(
    _ change: @escaping @Sendable (Rule, Rule.Result) throws -> Followed<Rule.Result>?
  ) {
    state.withLock { state in
      guard state.isLive else { return }
      events.submit(
        cycle(state.life) { engine, visible in
          guard let old = visible.result, let roster = visible.roster else { return Outcome() }
          do {
            guard let followed = try change(roster.rule, old) else { return Outcome() }
            var next = visible
            next.result = followed.result
            return Outcome(prepared: engine.prepared(next, followed.changes, since: visible))
          } catch {
            return Outcome(failures: [error])
          }
        })
    }
    events.flush()
  }

  /// Follows what one input told, of all that was told of the same commits.
  private func follow(_ one: News, of news: [News], _ visible: Visible) throws -> Prepared? {
    let changes: Changeset<Rule.InputID, Rule.InputItem>
    let snapshot: InputSnapshot
    switch one.kind {
    case .changed(let told, let shown): (changes, snapshot) = (told, shown)
    case .failed(let error), .refused(let error): throw error
    }
    guard let result = visible.result, let roster = visible.roster else {
      return try catchUp(visible)
    }
    // Of an input that is not shown, or not any more, nothing is shown.
    guard let input = roster.position(of: one.input) else { return nil }
    let old = visible.inputs[input]
    // What catching up has seen already comes once more as a change.
    guard changes.targetVersion > old.version else { return nil }
    // The rows of a first load need not be gone through one by one.
    let isFirst = result.numberOfSections == 0 && old.numberOfSections == 0
    guard changes.sourceVersion == old.version, changes.targetVersion == snapshot.version, !isFirst
    else { return try arrangeAnew(latest(visible.inputs, roster, news), roster, visible) }
    var after = visible.inputs
    after[input] = snapshot
    let followed = try roster.rule.follow(
      InputChange(input: input, changes: changes, before: visible.inputs, after: after),
      from: result)
    let next = Visible(
      version: visible.version, result: followed.result, inputs: after, roster: roster)
    return prepared(next, followed.changes, since: visible)
  }

  /// Returns what the inputs show after all that was told.
  private func latest(
    _ inputs: [InputSnapshot], _ roster: Roster, _ news: [News]
  ) -> [InputSnapshot] {
    var latest = inputs
    for one in news {
      guard case .changed(_, let snapshot) = one.kind,
        let input = roster.position(of: one.input), snapshot.version > latest[input].version
      else { continue }
      latest[input] = snapshot
    }
    return latest
  }

  /// Arranges the inputs from nothing, and compares with what is visible.
  private func arrangeAnew(
    _ inputs: [InputSnapshot], _ roster: Roster, _ visible: Visible
  ) throws -> Prepared {
    var next = Visible(version: visible.version, inputs: inputs, roster: roster)
    if let old = visible.result, let followed = try roster.rule.rearrange(inputs, after: old) {
      next.result = followed.result
      return prepared(next, followed.changes, since: visible)
    }
    let result = try roster.rule.arrange(inputs)
    next.result = result
    guard let old = visible.result, old.numberOfSections > 0 else {
      return prepared(next, .inserting(result), since: visible)
    }
    return prepared(next, try WholeComparison(old: old, new: result).changes(), since: visible)
  }

  func prepared(
    _ next: Visible, _ changes: Changeset<ItemID, Item>, since visible: Visible
  ) -> Prepared {
    var next = next
    next.aggregates = next.result?.aggregates ?? .empty
    // A rule says what becomes of sections and rows; what all rows come to is compared here.
    let changes = changes.with(ContentsUpdate(from: visible.aggregates, to: next.aggregates))
    next.version = changes.isEmpty ? visible.version : visible.version + 1
    return Prepared(next: next, changes: changes.leading(from: visible.version, to: next.version))
  }

  /// Shows the next version, unless the composition was cancelled meanwhile.
  func flip(to prepared: Prepared, _ life: Int) -> Changeset<ItemID, Item>? {
    let former: Visible? = state.withLock { state in
      guard state.life == life else { return nil }
      defer { state.visible = prepared.next }
      return state.visible
    }
    guard former != nil else { return nil }
    if let didShow, let result = prepared.next.result { didShow(result) }
    return prepared.changes
  }
}
