import SectileCore

/// When rebuilding is cheaper than finding the place of each row that leaves its own.
///
/// Measured on a hundred thousand rows in memory: the two meet at about five percent, whether an
/// index finds places or not. Without one, a place takes a look-up for each halving of the list,
/// and a rebuild has to sort.
enum MaintenanceCost {
  static let rebuildFraction = 0.05
  /// Below this many touched rows, lists are too short for a difference to matter.
  static let alwaysIncremental = 48
  /// So many of the touched rows are asked whether they leave their places.
  static let sampleCount = 64

  /// Whether so many touched rows are too many to look up one by one.
  ///
  /// - Parameters:
  ///   - touched: How many rows were touched.
  ///   - count: How many rows are read to rebuild.
  /// - Returns: True if rebuilding is cheaper.
  static func prefersRebuild(touched: Int, of count: Int) -> Bool {
    touched > limit(of: count)
  }
}

extension MaintenanceCost {
  /// How many rows are looked up one by one at most.
  ///
  /// - Parameter count: How many rows are read to rebuild.
  /// - Returns: The number.
  static func limit(of count: Int) -> Int {
    InternalChecks.isOn
      ? InternalChecks.alwaysIncremental
      : max(alwaysIncremental, Int(Double(count) * rebuildFraction))
  }
}

extension DerivationContext {
  /// About how many rows rebuilding reads: those of the contents and before them, and where no
  /// index leads to them all rows of the table.
  ///
  /// - Parameter touched: How many rows were touched; where they are few, nobody asks how large the
  ///   table is.
  /// - Returns: The number of rows.
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n*).
  func rebuildSize(touched: Int) throws -> Int {
    // SQLite steps over the rows before a window.
    let (sum, overflows) = base.count.addingReportingOverflow(reader.queries.plan.offset)
    let count = base.isEmpty || overflows ? base.count : sum
    guard reader.queries.scansTable,
      MaintenanceCost.prefersRebuild(touched: touched, of: count)
    else { return count }
    return max(count, try reader.tableSize())
  }

  /// Whether so few of the touched rows leave their places that the others need not be listed.
  ///
  /// Judged by a sample: many rows are mostly written by one statement, which sets a flag that
  /// nothing is sorted by, or moves them all.
  func touchedRowsStay() throws -> Bool {
    let keys = Set(rowsBefore.touchedKeys(about: MaintenanceCost.sampleCount))
      .sorted { $0.comesBefore($1) }
    var stayingCount = 0
    try reader.forEachRow(of: keys) { position, cursor in
      if isInPlace(keys[position], cursor) { stayingCount += 1 }
    }
    let displaced = rowsBefore.touchedCount * (keys.count - stayingCount) / keys.count
    return !MaintenanceCost.prefersRebuild(
      touched: displaced, of: try rebuildSize(touched: displaced))
  }

  /// Whether the row a cursor stands on is in its section, and what it is sorted by is the same.
  private func isInPlace(_ key: RowKey, _ cursor: PlanCursor) -> Bool {
    guard let handle = base.keys.handle(of: key), let source = base.index.path(of: handle),
      let home = try? home(of: cursor, near: source.section)
    else { return false }
    return home.isSection(source.section)
      && compare(key, handle: handle, cursor)?.isOrderChanged != true
  }
}
