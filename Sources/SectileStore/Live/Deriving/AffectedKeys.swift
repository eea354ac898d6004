import SectileCore

/// Which rows of a plan a commit may have changed: the keys of the rows to read again.
///
/// They may be too many, never too few. A touched row of the plan's own table is its own key; what
/// touched rows of other tables are joined to, or looked up from, is asked of the database:
///
/// ```text
/// touched rows of the plan's table ─────────────────────────→ their keys ─┐
/// touched rows of another table ──→ Dependency.affected:                  ├─→ affected, each once
///                                     the same key ───────→ their keys ───┤
///                                     a query ─→ keys of rows of the plan ┘
///                                     everything ─────────→ FollowedQuery, or unknown
/// touched rows of the tables of a query ──→ FollowedQuery: a question ────→ affected
/// ```
enum AffectedKeys {
  /// It is not known which, or there are too many.
  case unknown
  case one(RowKey)
  /// In ascending order.
  case several([RowKey])

  /// The keys as a list; nil where they are not known.
  var list: [RowKey]? {
    switch self {
    case .unknown: nil
    case .one(let key): [key]
    case .several(let keys): keys
    }
  }

  /// Finds out which rows may have changed since the contents before were read.
  ///
  /// - Parameters:
  ///   - plan: Knows what was touched of each of its tables.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The keys.
  /// - Throws: What reading throws.
  @inline(__always)
  static func of(
    _ plan: FollowedPlan, in context: borrowing DerivationContext
  ) throws -> AffectedKeys {
    guard !plan.isEverythingTouched, context.rowsBefore.isComplete else {
      return try asked(plan, in: context)
    }
    if plan.tables.count == 1, let key = context.rowsBefore.onlyTouchedKey {
      return .one(key)
    }
    return try listed(plan, in: context)
  }

  private static func asked(
    _ plan: FollowedPlan, in context: borrowing DerivationContext
  ) throws -> AffectedKeys {
    guard let query = plan.query else { return .unknown }
    if plan.base.recordedRows != nil {
      // The rows of a table that earlier commits touched are not asked about; a row before a window
      // that is answered by an equal key, and gone, is found nowhere; and a row that no row refers
      // to may say what an empty section is called.
      guard context.rowsBefore.isComplete, context.rowsBefore.commitCount <= 1,
        context.reader.queries.plan.offset == 0,
        context.reader.queries.titleOfEmptySection == nil || !context.hasEmptySection
      else { return .unknown }
    }
    return try query.affectedKeys(in: context)
  }

  private static func listed(
    _ plan: FollowedPlan, in context: borrowing DerivationContext
  ) throws -> AffectedKeys {
    let touchedCount = context.rowsBefore.touchedCount
    let count = try context.rebuildSize(touched: touchedCount)
    if MaintenanceCost.prefersRebuild(touched: touchedCount, of: count) {
      guard try context.touchedRowsStay() else { return .unknown }
    }
    var keys: [RowKey] = []
    keys.reserveCapacity(touchedCount)
    context.rowsBefore.forEachTouchedKey { keys.append($0) }
    let others = plan.tables.filter { !$0.isBase && $0.isTouched }
    // A row that no row refers to may say what an empty section is called.
    if !others.isEmpty, context.reader.queries.titleOfEmptySection != nil,
      context.hasEmptySection
    {
      return .unknown
    }
    // Neighbours are on one page of the table.
    if keys.count > 1 { keys.sort { $0.comesBefore($1) } }
    if others.isEmpty, context.rowsBefore.commitCount == 1 {
      return keys.count == 1 ? .one(keys[0]) : .several(keys)
    }
    var affected = Set(keys)
    for table in others {
      guard let touched = table.recordedRows?.preImages,
        !MaintenanceCost.prefersRebuild(touched: touched.count, of: count)
      else { return .unknown }
      try table.forEachAffectedKey(of: touched, by: context.reader) { affected.insert($0) }
      guard !MaintenanceCost.prefersRebuild(touched: affected.count, of: count) else {
        return .unknown
      }
    }
    if affected.count == 1, let key = affected.first { return .one(key) }
    return .several(affected.sorted { $0.comesBefore($1) })
  }
}

extension FollowedTable {
  /// Calls `body` with the keys of the plan's rows that touched rows of a table concern.
  ///
  /// - Parameters:
  ///   - touched: The rows that were touched.
  ///   - reader: Reads in the transaction that touched them.
  ///   - body: Takes a key, some more than once.
  /// - Throws: What reading throws.
  fileprivate func forEachAffectedKey(
    of touched: PreImages, by reader: PlanReader, _ body: (RowKey) -> Void
  ) throws {
    for position in 0..<touched.count {
      let key = touched.key(at: position)
      switch affected {
      case .sameKey: body(key)
      case .query(let sql) where !key.hasNull:
        for concerned in try reader.baseKeys(sql, for: key) { body(concerned) }
      case .query, .everything: break
      }
    }
  }
}
