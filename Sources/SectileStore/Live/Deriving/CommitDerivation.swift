import SectileCore

/// Works out how the transaction under way, or the commits that a load has left out, change the
/// contents of a plan: decides which rows to read again, and how.
///
/// Changes nothing itself. Gone with the transaction.
struct CommitDerivation: ~Copyable {
  let plan: FollowedPlan
  let maintainer: ContentsMaintainer
  /// What it took.
  private(set) var effort = ResultsStatistics()
  /// Whether the change was worked out from the touched rows, and not by reading everything.
  private(set) var isRowByRow = false

  init(of plan: FollowedPlan, by maintainer: consuming ContentsMaintainer) {
    self.plan = plan
    self.maintainer = maintainer
  }

  /// Returns the change; nil where there is none.
  ///
  /// - Throws: What reading throws.
  @inline(__always)
  mutating func change() throws -> PlanChange? {
    let queries = maintainer.reader.queries
    guard queries.ordering != nil, !queries.refetchesWindow, !queries.changesUnwrittenRows
    else { return try rebuild() }
    do {
      isRowByRow = true
      switch try touchedKeys() {
      case .unknown: return try rebuild()
      case .one(let key):
        effort.rereadRowCount += 1
        if queries.isWindowed {
          return try aggregated(maintainer.windowedChange(touching: [key]))
        }
        return try aggregated(oneRowChange(key))
      case .several(let keys):
        effort.rereadRowCount += keys.count
        if queries.isWindowed {
          return try aggregated(maintainer.windowedChange(touching: keys))
        }
        return try aggregated(maintainer.incrementalChange(touching: keys))
      }
    } catch is StaleContents {
      return try rebuild()
    }
  }

  @inline(__always)
  private func oneRowChange(_ key: RowKey) throws -> PlanChange? {
    switch try maintainer.oneRowChange(key) {
    case .unchanged: nil
    case .change(let change): change
    case .needsMore: try maintainer.incrementalChange(touching: [key])
    }
  }

  /// Returns a change with the aggregates that it leads to.
  @inline(__always)
  private func aggregated(_ change: PlanChange?) throws -> PlanChange? {
    guard let change, maintainer.reader.queries.aggregates != nil else { return change }
    return try maintainer.aggregated(change)
  }

  private mutating func rebuild() throws -> PlanChange? {
    effort.rebuildCount += 1
    isRowByRow = false
    maintainer.prefixes.forget()
    return try maintainer.rebuild(.commit).change
  }

  /// The rows to read again.
  private enum TouchedKeys {
    /// It is not known which, or there are too many.
    case unknown
    case one(RowKey)
    /// In ascending order.
    case several([RowKey])
  }

  /// Finds out which rows to read again.
  @inline(__always)
  private func touchedKeys() throws -> TouchedKeys {
    guard !plan.isEverythingTouched, maintainer.past.isComplete else {
      return .unknown
    }
    if plan.tables.count == 1, let key = maintainer.past.onlyTouchedKey {
      return .one(key)
    }
    let touchedCount = maintainer.past.touchedCount
    let count = try maintainer.rebuildSize(touched: touchedCount)
    if MaintenanceCost.prefersRebuild(touched: touchedCount, of: count) {
      guard try maintainer.touchedRowsStay() else { return .unknown }
    }
    var keys: [RowKey] = []
    keys.reserveCapacity(touchedCount)
    maintainer.past.forEachTouchedKey { keys.append($0) }
    let others = plan.tables.filter { !$0.isBase && $0.isTouched }
    // A row that no row refers to may say what an empty section is called.
    if !others.isEmpty, maintainer.reader.queries.titleOfEmptySection != nil,
      maintainer.hasEmptySection
    {
      return .unknown
    }
    // Neighbours are on one page of the table.
    if keys.count > 1 { keys.sort { $0.comesBefore($1) } }
    if others.isEmpty, maintainer.past.commitCount == 1 {
      return keys.count == 1 ? .one(keys[0]) : .several(keys)
    }
    var known = Set(keys)
    for table in others {
      guard let touched = table.notes?.images,
        !MaintenanceCost.prefersRebuild(touched: touched.count, of: count)
      else { return .unknown }
      for position in 0..<touched.count {
        let key = touched.key(at: position)
        switch table.affected {
        case .sameKey: known.insert(key)
        case .query(let sql) where !key.hasNull:
          try known.formUnion(maintainer.reader.baseKeys(sql, for: key))
        case .query, .everything: break
        }
      }
      guard !MaintenanceCost.prefersRebuild(touched: known.count, of: count) else {
        return .unknown
      }
    }
    if known.count == 1, let key = known.first { return .one(key) }
    return .several(known.sorted { $0.comesBefore($1) })
  }
}
