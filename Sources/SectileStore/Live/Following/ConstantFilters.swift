import GRDB
import SectileCore

/// Which results want only rows that have a constant in some column: `"item"."id" = 7`.
///
/// A commit asks for those whose constant one of its rows has, instead of asking each of thousands.
/// The others are left alone, at an older version of the table in which their contents are the
/// same, for so many commits at most that what they hold on to is little.
struct ConstantFilters {
  /// Fewer results are asked one after the other.
  static let leastCount = 64
  /// So many commits to a table in a row leave the others alone.
  private static let lagLimit = 512
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
  /// How many commits in a row have left plans alone, by the recorded rows of their
  /// table; where nothing is known, too many.
  private var lags: [ObjectIdentifier: Int] = [:]

  init(_ plans: some Sequence<FollowedPlan>) {
    for (position, plan) in plans.enumerated() { add(plan, at: position) }
  }

  /// Adds a plan behind the others.
  mutating func add(_ plan: FollowedPlan, at number: Int) {
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
  /// - Returns: Their numbers, or nil.
  mutating func candidates(
    _ pruning: inout CommitPruning, in db: Database, showing mayShow: (Int, [RowKey]) -> Bool
  ) -> [Int]? {
    let touched = Set(
      places.lazy.filter(\.table.isTouched).map { ObjectIdentifier($0.recordedRows) })
    guard touched.allSatisfy({ lag($0) < Self.lagLimit }),
      let found = matches(&pruning, in: db, showing: mayShow)
    else {
      for rows in touched { lags[rows] = 0 }
      return nil
    }
    for rows in touched { lags[rows] = lag(rows) + 1 }
    return (others + found).sorted()
  }

  private func lag(_ rows: ObjectIdentifier) -> Int { lags[rows] ?? Self.lagLimit }

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
