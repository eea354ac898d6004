import SectileCore

/// Works out how the transaction under way, or the commits that a load has left out, change the
/// contents of a plan: decides which rows to read again, and in which way.
///
/// Changes nothing itself. Gone with the transaction.
struct CommitDerivation: ~Copyable {
  let plan: FollowedPlan
  let context: DerivationContext
  /// What is known of rows that ask the clock.
  private let clockAskingRows: ClockAskingRows
  /// What it took.
  private(set) var effort = ResultsStatistics()
  /// Whether the change was worked out from the touched rows, and not by reading everything.
  private(set) var isRowByRow = false

  init(
    of plan: FollowedPlan, in context: consuming DerivationContext,
    knowing clockAskingRows: ClockAskingRows = ClockAskingRows()
  ) {
    self.plan = plan
    self.context = context
    self.clockAskingRows = clockAskingRows
  }

  /// Returns the change; nil where there is none.
  ///
  /// - Throws: What reading throws.
  @inline(__always)
  mutating func change() throws -> PlanChange? {
    let queries = context.reader.queries
    guard queries.ordering != nil, !queries.refetchesWindow,
      queries.plan.reasonForUnwrittenChanges == nil
    else { return try rebuild() }
    do {
      isRowByRow = true
      let affected = try AffectedKeys.of(plan, in: context)
      if queries.clockQuestions != nil, try rowsAskTheClock(affected) { return try rebuild() }
      switch affected {
      case .unknown: return try rebuild()
      case .one(let key):
        effort.rereadRowCount += 1
        if queries.isWindowed { return try outcome(of: WindowDerivation(keys: [key])) }
        return try oneRowChange(key)
      case .several(let keys):
        if keys.isEmpty { return nil }
        effort.rereadRowCount += keys.count
        if queries.isWindowed { return try outcome(of: WindowDerivation(keys: keys)) }
        return try outcome(of: SomeRowsDerivation(keys: keys))
      }
    } catch is StaleContents {
      return try rebuild()
    }
  }

  private func rowsAskTheClock(_ affected: AffectedKeys) throws -> Bool {
    guard let keys = affected.list else { return false }
    return try clockAskingRows.areThere(touching: keys, context.reader)
  }

  @inline(__always)
  private func oneRowChange(_ key: RowKey) throws -> PlanChange? {
    switch try OneRowDerivation(key: key).change(in: context) {
    case .unchanged: nil
    case .change(let change): try aggregated(change)
    case .needsMore: try outcome(of: SomeRowsDerivation(keys: [key]))
    }
  }

  @inline(__always)
  private func outcome(of way: some Derivation<PlanChange?>) throws -> PlanChange? {
    guard let change = try way.change(in: context) else { return nil }
    return try aggregated(change)
  }

  /// Returns a change with the aggregates that it leads to.
  @inline(__always)
  private func aggregated(_ change: PlanChange) throws -> PlanChange {
    guard context.reader.queries.aggregates != nil else { return change }
    return try change.aggregated(in: context)
  }

  private mutating func rebuild() throws -> PlanChange? {
    effort.rebuildCount += 1
    isRowByRow = false
    context.prefixes.forget()
    clockAskingRows.forget()
    return try FullDerivation().change(in: context)
  }
}
