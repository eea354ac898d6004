import GRDB
import SectileCore

/// Which results want only rows that have a constant in some column: `"item"."id" = 7`.
///
/// A commit asks for those whose constant one of its rows has, instead of asking each of thousands.
/// The others are left alone, at an older version of the table in which their contents are the
/// same, for so many commits at most that what they hold on to is little; then all go along at
/// once, which costs each a fraction of being asked.
struct ConstantFilters {
  /// Fewer results are asked one after the other.
  static let leastCount = 64
  /// So many commits to a table in a row leave the others alone, or one for each eight of them, at
  /// most as many as the second: who reads an old version may have to look at each commit since,
  /// and remembers for that version what they touched.
  private static let lagLimits = (least: 512, most: 2048)
  /// So many bytes of old values may be held on to by those that are left alone.
  private static let lagByteLimit = 8 << 20
  /// A commit of more old values is told to all: nobody else may hold on to it.
  private static let byteLimit = 16 << 10

  /// A column, and the kind of its constants.
  private struct Place {
    let table: FollowedTable
    let recordedRows: RecordedRows
    let filter: RowFilter
    let position: Int
    let isText: Bool
    var plans: [StoredValue: [Int]] = [:]
  }

  private var places: [Place] = []
  /// The plans that have to be asked one by one.
  private var others: [Int] = []
  /// How many plans there are.
  private var count = 0
  /// What commits in a row have left plans alone, by the recorded rows of their table; where
  /// nothing is known, too many.
  private var lags: [ObjectIdentifier: Lag] = [:]

  private struct Lag {
    var commitCount = 0
    /// What the old values take.
    var byteCount = 0
  }

  init(_ plans: some Sequence<FollowedPlan>) {
    for (position, plan) in plans.enumerated() { add(plan, at: position) }
  }

  /// Adds a plan behind the others.
  mutating func add(_ plan: FollowedPlan, at number: Int) {
    count += 1
    guard plan.tables.count == 1, let table = plan.tables.first,
      let filter = plan.rowFilter,
      let constant = filter.constant(preferring: plan.plan.familyValue)
    else { return others.append(number) }
    let isText = if case .text = constant.value { true } else { false }
    let index = places.firstIndex {
      $0.recordedRows === filter.recordedRows && $0.position == constant.position
        && $0.isText == isText
    }
    if index == nil {
      places.append(
        Place(
          table: table, recordedRows: filter.recordedRows, filter: filter,
          position: constant.position, isText: isText))
    }
    places[index ?? places.count - 1].plans[constant.value, default: []].append(number)
  }

  /// Returns the plans that a transaction may concern, in their order; nil where each has to be
  /// asked.
  ///
  /// - Parameters:
  ///   - pruning: What was read of the transaction's rows.
  ///   - db: The writing connection, inside the transaction.
  ///   - mayShow: Whether the contents of a plan may have one of some rows: nobody knows what those
  ///     were.
  ///   - catchUp: Called with each plan that was left alone for long, and the version of its table
  ///     before the transaction, in which its contents are the same.
  /// - Returns: Their numbers, or nil.
  mutating func candidates(
    _ pruning: inout CommitPruning, in db: Database, showing mayShow: (Int, [RowKey]) -> Bool,
    catchUp: (Int, VersionNode) -> Void
  ) -> [Int]? {
    var touched: [ObjectIdentifier: RecordedRows] = [:]
    for place in places where place.table.isTouched {
      touched[ObjectIdentifier(place.recordedRows)] = place.recordedRows
    }
    guard let found = matches(&pruning, in: db, showing: mayShow) else {
      for rows in touched.keys { lags[rows] = Lag() }
      return nil
    }
    for (id, rows) in touched {
      if isTooLong(lags[id]) {
        forEachPlan(of: rows, catchUp)
        lags[id] = Lag()
      }
      lags[id, default: Lag()].commitCount += 1
      lags[id, default: Lag()].byteCount += rows.preImages.byteCount
    }
    return (others + found).sorted()
  }

  private func isTooLong(_ lag: Lag?) -> Bool {
    guard let lag else { return true }
    let limit = min(max(Self.lagLimits.least, count / 8), Self.lagLimits.most)
    return lag.commitCount >= limit || lag.byteCount >= Self.lagByteLimit
  }

  private func forEachPlan(of rows: RecordedRows, _ body: (Int, VersionNode) -> Void) {
    guard let former = rows.formerNode else { return }
    for place in places where place.recordedRows === rows {
      for plans in place.plans.values {
        for plan in plans { body(plan, former) }
      }
    }
  }

  private func matches(
    _ pruning: inout CommitPruning, in db: Database, showing mayShow: (Int, [RowKey]) -> Bool
  ) -> Set<Int>? {
    var found: Set<Int> = []
    for place in places where place.table.isTouched {
      guard !place.table.hasUnknownKeys, place.recordedRows.preImages.byteCount < Self.byteLimit,
        let rows = pruning.rows(of: place.filter, in: db)
      else { return nil }
      let isComparable = rows.allAreExcluded { columns in
        switch (columns[place.position], place.isText) {
        case (.null, _): return true
        case (.integer, false), (.text, true):
          guard let value = columns[place.position].value else { return false }
          found.formUnion(place.plans[value] ?? [])
          return true
        // Numbers of another class, or texts where numbers are wanted: SQLite compares them.
        default: return false
        }
      }
      guard isComparable else { return nil }
      guard !rows.lostKeys.isEmpty else { continue }
      for plans in place.plans.values {
        for plan in plans where mayShow(plan, rows.lostKeys) { found.insert(plan) }
      }
    }
    return found
  }
}

extension RowFilter {
  /// A column that every wanted row has a constant in, where the constant is compared by its bytes.
  ///
  /// - Parameter value: The constant that tells most plans apart, if one does: the last of the
  ///   filter's.
  /// - Returns: The column's place, and the constant; nil where there is none.
  fileprivate func constant(
    preferring value: StoredValue?
  ) -> (position: Int, value: StoredValue)? {
    let constants = bounds.compactMap { position, bound -> (position: Int, value: StoredValue)? in
      guard bound.comparison == .equal else { return nil }
      switch bound.value {
      case .integer: return (position, bound.value)
      case .text where bound.column.collation == .binary: return (position, bound.value)
      case .text, .real, .blob, .null: return nil
      }
    }
    return constants.last { $0.value == value } ?? constants.first
  }
}
