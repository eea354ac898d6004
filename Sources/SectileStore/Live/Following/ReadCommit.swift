import GRDB
import SectileCore

/// A transaction that is being read for one results object after another.
struct ReadCommit {
  let record: TransactionRecord
  /// Whether there is a change log, past which others may have written.
  let hasLog: Bool
  /// What equal results have worked out already; nil where nobody else follows.
  let shared: SharedChanges?

  /// Works out what the transaction means for some results, inside of it: they say where they
  /// stand, their change is derived from there, and they put it into the terms of their items.
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
    let reading =
      !record.isCertain || (record.hasForeignRows && plan.isUncertain)
      ? ResultsStateMachine.Reading.uncertain : record.hasForeignRows ? .withForeignRows : .certain
    switch results.stand(
      following: plan, isTouched: isTouched, isRuledOut: isRuledOut, reading)
    {
    case .elsewhere: return nil
    case .settled(let outcome, let epoch):
      return PendingCommit(results: results, epoch: epoch, outcome: outcome)
    case .at(let baseline, let contents):
      let outcome: CommitOutcome
      do {
        if !baseline.needsRefetch, let queries = baseline.queries {
          outcome = try derive(results, plan, queries, from: baseline, contents, in: db)
        } else {
          outcome = try refetch(results, plan, from: baseline, contents, in: db)
        }
      } catch {
        outcome = .failure(StandingFailure(error))
      }
      if isRuledOut, !baseline.needsRefetch { results.checkRuledOut(outcome) }
      return PendingCommit(results: results, epoch: baseline.epoch, outcome: outcome)
    }
  }

  /// Fetches again although the recorder may have missed something, maybe the schema itself.
  private func refetch(
    _ results: ResultsTracker, _ plan: FollowedPlan, from baseline: borrowing Baseline,
    _ contents: consuming PlanContents, in db: Database
  ) throws -> CommitOutcome {
    results.awaitDigests()
    plan.prefixes.forget()
    plan.clockAskingRows.forget()
    plan.query?.forget()
    var rowsBefore = plan.base.rowsBefore(since: baseline.node)
    // Results that were found to be wrong, and those of an audit, look at every row.
    rowsBefore.mayLackRows = hasLog
    let node = plan.base.node(after: baseline.node)
    let queries = try PlanQueries(results.plan, in: db)
    results.willRefetch(by: queries)
    let change = try FullDerivation().change(
      in: DerivationContext(
        reader: PlanReader(queries: queries, db: db), items: results.items.makeSink(),
        base: contents, rowsBefore: rowsBefore))
    return try results.outcome(of: change, from: baseline, node)
  }

  @inline(__always)
  private func derive(
    _ results: ResultsTracker, _ plan: FollowedPlan, _ queries: PlanQueries,
    from baseline: borrowing Baseline, _ contents: consuming PlanContents, in db: Database
  ) throws -> CommitOutcome {
    // What rows were is not known: their digests tell which of them are others now.
    if record.hasForeignRows { results.awaitDigests() }
    let rowsBefore = plan.base.rowsBefore(since: baseline.node)
    let node = plan.base.node(after: baseline.node)
    // Equal plans whose contents are those before this transaction go through the same change.
    let shared = rowsBefore.commitCount <= 1 && rowsBefore.isComplete ? shared : nil
    if let known = shared?.outcome(plan.number, results.items.itemType) {
      plan.query?.forget()
      return try outcome(known, for: results, from: baseline, node)
    }
    plan.prefixes.begin(contents.keys, baseline.number, next: baseline.nextNumber)
    plan.clockAskingRows.begin(baseline.number, next: baseline.nextNumber)
    var derivation = CommitDerivation(
      of: plan,
      in: DerivationContext(
        reader: PlanReader(queries: queries, db: db, statements: plan.statements),
        items: results.items.makeSink(), base: contents, rowsBefore: consume rowsBefore,
        prefixes: plan.prefixes), knowing: plan.clockAskingRows)
    let change = try derivation.change()
    try results.note(derivation, of: change)
    guard let shared else { return try results.outcome(of: change, from: baseline, node) }
    let outcome = SharedChanges.Outcome(
      planNumber: plan.number, itemType: results.items.itemType, change: change)
    shared.add(outcome)
    return try self.outcome(outcome, for: results, from: baseline, node)
  }

  /// Puts what was worked out into the terms of some results.
  private func outcome(
    _ shared: SharedChanges.Outcome, for results: ResultsTracker,
    from baseline: borrowing Baseline, _ node: VersionNode
  ) throws -> CommitOutcome {
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
