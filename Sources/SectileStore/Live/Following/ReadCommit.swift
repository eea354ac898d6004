import GRDB
import SectileCore

/// A transaction that is being read for one results object after another.
struct ReadCommit {
  /// Whether everything that happened since the last commit is known from the recorder, or the
  /// change log.
  let isCertain: Bool
  /// Whether others wrote, too, and the change log tells which rows.
  let hasForeignRows: Bool
  /// Whether there is a change log, past which others may have written.
  let hasLog: Bool
  /// What equal results have worked out already; nil where nobody else follows.
  let shared: SharedChanges?

  /// Works out what the transaction means for some results, inside of it.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - plan: Their plan.
  ///   - isTouched: Whether the transaction touched a row that the plan depends on.
  ///   - isRuledOut: Whether the rows that it touched are none that the plan wants.
  ///   - db: The connection, inside the transaction.
  /// - Returns: What it comes to, be it an error; nil where the results do not follow it.
  func pending(
    for results: ResultsTracker, _ plan: FollowedPlan, isTouched: Bool, isRuledOut: Bool,
    in db: Database
  ) -> PendingCommit? {
    let isCertain = self.isCertain && !(hasForeignRows && plan.isUncertain)
    if !isCertain { results.requireRefetch() }
    switch results.position(
      following: plan, isTouched: isTouched, isCertain: isCertain, isRuledOut: isRuledOut)
    {
    case .elsewhere: return nil
    case .settled(let pending): return pending
    case .at(let baseline, let contents):
      let outcome: PendingCommit.Outcome
      do {
        outcome = try derive(
          results, plan, from: baseline, contents, isCertain: isCertain, in: db)
      } catch {
        outcome = .failure(error)
      }
      if isRuledOut, !baseline.needsRefetch { results.checkRuledOut(outcome) }
      return PendingCommit(results: results, epoch: baseline.epoch, outcome: outcome)
    }
  }

  @inline(__always)
  private func derive(
    _ results: ResultsTracker, _ plan: FollowedPlan, from baseline: borrowing Baseline,
    _ contents: consuming PlanContents, isCertain: Bool, in db: Database
  ) throws -> PendingCommit.Outcome {
    var past = plan.base.past(since: baseline.node)
    let node = plan.base.node ?? baseline.node.unknownSuccessor()
    guard isCertain, !baseline.needsRefetch, let queries = baseline.queries else {
      results.awaitDigests()
      plan.prefixes.forget()
      // Results that were found to be wrong, and those of an audit, look at every row.
      past.mayLackRows = hasLog
      let change = try results.refetched(contents, past, in: db)
      guard let change else { return .unchanged(node) }
      return .change(try results.pending(change, from: baseline, node: node))
    }
    if hasForeignRows {
      // What rows were is not known: their digests tell which of them are others now.
      results.awaitDigests()
      results.countLogged()
    }
    // Equal plans whose contents are those before this transaction go through the same change.
    let shared = past.commitCount <= 1 && past.isComplete ? shared : nil
    if let known = shared?.outcome(plan.number, results.items.itemType) {
      return try outcome(known, for: results, from: baseline, node)
    }
    plan.prefixes.begin(contents.keys, baseline.number, next: baseline.nextNumber)
    let change = try results.derived(
      CommitDerivation(
        of: plan,
        by: ContentsMaintainer(
          reader: PlanReader(queries: queries, db: db, statements: plan.statements),
          items: results.items.makeSink(), base: contents, past: consume past,
          prefixes: plan.prefixes)))
    guard let shared else {
      guard let change else { return .unchanged(node) }
      return .change(try results.pending(change, from: baseline, node: node))
    }
    let outcome = SharedChanges.Outcome(
      planNumber: plan.number, itemType: results.items.itemType, change: change)
    shared.add(outcome)
    return try self.outcome(outcome, for: results, from: baseline, node)
  }

  /// Puts what was worked out into the terms of some results.
  private func outcome(
    _ shared: SharedChanges.Outcome, for results: ResultsTracker,
    from baseline: borrowing Baseline, _ node: VersionNode
  ) throws -> PendingCommit.Outcome {
    guard let change = shared.change else { return .unchanged(node) }
    if let boxed = shared.boxed, boxed.source == baseline.version, !change.isWhole {
      return .change(
        PendingChange(
          change, boxed: boxed.changes, targetVersion: baseline.version + 1, node: node,
          number: baseline.nextNumber))
    }
    let pending = try results.pending(change, from: baseline, node: node)
    shared.boxed = (pending.boxed, baseline.version)
    return .change(pending)
  }
}
