import GRDB
import SectileCore

/// Finds where a row belongs among the rows of the contents before that kept their place.
///
/// By the prefixes of sort keys, where they are known and decide. Otherwise, where an index has the
/// plan's order, SQLite is asked for the row before it: one or two searches of the index. Elsewhere
/// by binary search over ranks, where each probe reads one row's keys from the database. Rows that
/// are about to be taken out are stepped over, for their keys there are already the new ones.
///
/// - Complexity: O(log *n*), by one search or by that many probes, for each row.
struct PositionSearch {
  /// The rank of the row that is taken out, where it is one: it needs no list.
  private let removedRow: Range<Int>?
  /// The ranks of the rows that are taken out, neighbours merged.
  private let removed: [Range<Int>]

  /// Creates a search; `removed` are the ranks of the rows that are taken out, ascending.
  init(removed: [Int]) {
    removedRow = nil
    var runs: [Range<Int>] = []
    for rank in removed {
      if let last = runs.last, last.upperBound == rank {
        runs[runs.count - 1] = last.lowerBound..<(rank + 1)
      } else {
        runs.append(rank..<(rank + 1))
      }
    }
    self.removed = runs
  }

  /// Creates a search for the place of one row; `removedRow` is the rank that it leaves.
  init(removedRow: Int?) {
    self.removedRow = removedRow.map { $0..<($0 + 1) }
    removed = []
  }

  /// Returns the range of ranks, in the list before, at which a row could be put in.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - ordering: The row's values of the complete order.
  ///   - ranks: The ranks of its section's rows; nil where the section is new.
  ///   - start: A rank the row is known not to come before.
  ///   - context: Knows the contents and reads rows.
  /// - Returns: The ranks; more than one where rows that are taken out stand there.
  /// - Throws: ``StaleContents`` where a row is gone although nobody touched it; what reading
  ///   throws.
  func gap(
    for key: RowKey, _ ordering: UnsafeBufferPointer<RawColumn>, among ranks: Range<Int>?,
    from start: Int, in context: borrowing DerivationContext
  ) throws -> ClosedRange<Int> {
    guard let ranks else {
      let all = start..<max(start, context.base.count)
      let rank = try search(ordering, among: all, in: context)
      notePrefix(of: key, ordering, in: context)
      return gap(at: rank)
    }
    return gap(at: try rank(for: key, ordering, among: ranks, from: start, in: context))
  }

  /// Returns the rank, in the list before, at which a row of a section could be put in.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - ordering: The row's values of the complete order.
  ///   - ranks: The ranks of the section's rows.
  ///   - start: A rank the row is known not to come before.
  ///   - context: Knows the contents and reads rows.
  /// - Returns: A rank behind the last row before it that stays, and not behind the next one.
  /// - Throws: See ``gap(for:_:among:from:by:)``.
  func rank(
    for key: RowKey, _ ordering: UnsafeBufferPointer<RawColumn>, among ranks: Range<Int>,
    from start: Int = 0, in context: borrowing DerivationContext
  ) throws -> Int {
    let first = max(start, ranks.lowerBound)
    let left = try narrow(first..<max(first, ranks.upperBound), for: ordering, in: context)
    let rank =
      left.isEmpty
      ? left.lowerBound
      : try rank(for: ordering, among: ranks, narrowed: left, in: context)
    notePrefix(of: key, ordering, in: context)
    return rank
  }

  private func rank(
    for ordering: UnsafeBufferPointer<RawColumn>, among ranks: Range<Int>, narrowed: Range<Int>,
    in context: borrowing DerivationContext
  ) throws -> Int {
    let predecessor = try seek(ordering, in: context)
    try readPrefixes(in: context)
    switch predecessor {
    // Where 1 and 1.0 are two sections, SQLite holds their rows for those of one.
    case .row(let rank) where ranks.contains(rank): return rank + 1
    case .none: return ranks.lowerBound
    case .row, .unknown: return try search(ordering, among: narrowed, in: context)
    }
  }

  // MARK: Seeking

  /// The row before a row in its section.
  private enum Predecessor {
    case row(rank: Int)
    case none
    case unknown
  }

  /// How many rows that are not among the contents are stepped over before giving up.
  private static let seekLimit = 32

  @inline(__always)
  private func seek(
    _ ordering: UnsafeBufferPointer<RawColumn>, in context: borrowing DerivationContext
  ) throws -> Predecessor {
    let steps = context.reader.queries.predecessors?.steps(whereNull: { ordering[$0].isNull })
    guard let steps else { return .unknown }
    var remaining = Self.seekLimit
    var found: Int?
    for (number, step) in steps.enumerated() {
      try context.reader.forEachPredecessor(of: ordering, step, number) { key, _ in
        remaining -= 1
        found = context.base.rank(of: key).flatMap { run(around: $0) == nil ? $0 : nil }
        return found == nil && remaining > 0
      }
      if let found { return .row(rank: found) }
      if remaining <= 0 { return .unknown }
    }
    return .none
  }

  // MARK: Searching

  private func search(
    _ ordering: UnsafeBufferPointer<RawColumn>, among ranks: Range<Int>,
    in context: borrowing DerivationContext
  ) throws -> Int {
    guard let rule = context.reader.queries.ordering else { throw StaleContents() }
    var low = ranks.lowerBound
    var high = ranks.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      let anchor = run(around: middle)?.upperBound ?? middle
      guard anchor < high else {
        high = middle
        continue
      }
      let key = context.base.key(atRank: anchor)
      if try context.reader.withOrdering(of: key, { rule.areInOrder(ordering, $0) }) {
        high = middle
      } else {
        low = anchor + 1
      }
    }
    return low
  }

  /// The ranks at which a row could be put in that belongs before the row at a rank.
  private func gap(at low: Int) -> ClosedRange<Int> {
    let lower = low > 0 ? run(around: low - 1)?.lowerBound : nil
    return (lower ?? low)...(run(around: low)?.upperBound ?? low)
  }

  /// The rank of the row that is taken out, where it is one.
  var onlyRemoved: Int? { removedRow?.lowerBound }

  /// The rows that are taken out around a rank; nil if the row at the rank stays.
  func run(around rank: Int) -> Range<Int>? {
    if let removedRow { return removedRow.contains(rank) ? removedRow : nil }
    let position = removed.partitioningIndex { $0.upperBound > rank }
    guard position < removed.count, removed[position].contains(rank) else { return nil }
    return removed[position]
  }
}
