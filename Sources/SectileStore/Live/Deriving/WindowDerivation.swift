import SectileCore

// A window of rows, before and behind which others stand. In the order of the rows:
//
//   not known: … r s t    window before    a  b  c  d  e              not known: f  g  h …
//   touched               b gone, x new, y new, q gone from before the window
//   first that stays                       a             what is not in the window stands before it
//   last that stays                                    e          or behind it
//   after                 a ‖ x  c  d  e │ y ? f ?
//                       out │   known    │ the rows next to the last, as many as the window
//                                           has room for
//
// The first row that stays has as many rows before it as it had, but for those that came and went
// there: the values that a row had tell where it stood. So its rank is known, and how many rows
// enter or leave on either side.

/// The change that touched rows make to a window.
struct WindowDerivation: Derivation {
  /// The keys of the touched rows, ascending.
  let keys: [RowKey]

  /// Returns the change, or nil where there is none.
  ///
  /// - Parameter context: Knows the window before, and reads rows.
  /// - Returns: The change.
  /// - Throws: ``StaleContents`` where the contents do not fit the database, none of their rows
  ///   stays, or it is not known where a row stood; what reading throws.
  /// - Complexity: O(*c* log *n*) for *c* touched rows of *n*; where no index has the order, SQLite
  ///   steps over the rows before those that enter.
  func change(in context: borrowing DerivationContext) throws -> PlanChange? {
    let plan = context.reader.queries.plan
    guard plan.limit != 0 else { return nil }
    let touched = try TouchedRows.read(keys, in: context)
    guard plan.offset > 0 || !touched.rows.isEmpty else { return nil }
    let places = try TouchedPlaces.of(touched, in: context)
    let known = try KnownRows(touched, places, of: context.base, in: plan)
    let margin = try margin(known, in: context)
    guard !margin.isEmpty else {
      return touched.rows.isEmpty ? nil : try touched.change(at: places, in: context)
    }
    let all = Set(keys).union(margin.entering).union(margin.leaving)
    let widened = try TouchedRows.read(
      all.sorted { $0.comesBefore($1) }, outside: margin.leaving, in: context)
    guard !widened.rows.isEmpty else { return nil }
    return try widened.change(at: TouchedPlaces.of(widened, in: context), in: context)
  }

  /// The rows at the ends of the window that are there for others' sake.
  private struct Margin {
    /// Rows that may not be in the window, whatever the filter says of them.
    var leaving: Set<RowKey> = []
    /// Rows that are in it although nobody touched them.
    var entering: [RowKey] = []

    var isEmpty: Bool { leaving.isEmpty && entering.isEmpty }
  }

  private func margin(
    _ known: borrowing KnownRows, in context: borrowing DerivationContext
  ) throws -> Margin {
    let offset = context.reader.queries.plan.offset
    let limit = context.reader.queries.plan.limit ?? .max
    let (sum, overflows) = offset.addingReportingOverflow(limit)
    let end = overflows ? Int.max : sum
    let start = offset == 0 ? 0 : offset + (try frontShift(known, in: context))
    let stop = start + known.count
    // Where nothing of what is known is left in the window, it is as well read anew.
    guard start >= 0, start < end, offset == 0 || stop > offset else { throw StaleContents() }
    var margin = Margin()
    if start > offset {
      let entering = try edge(
        .before, known.first, count: start - offset, from: offset, in: context)
      guard entering.count == start - offset else { throw StaleContents() }
      margin.entering += entering
    } else {
      margin.leaving.formUnion(known.firstKeys(offset - start))
    }
    if stop < end, known.hasOthersBehind {
      margin.entering += try edge(
        .behind, known.last, count: end - stop, from: stop, in: context)
    } else if stop > end {
      margin.leaving.formUnion(known.lastKeys(stop - end))
    }
    let entering = Set(margin.entering)
    margin.leaving.formUnion(known.arrivalsOutside.filter { !entering.contains($0) })
    if !entering.isEmpty {
      let touched = Set(known.touched.rows.map(\.key))
      margin.entering.removeAll { touched.contains($0) }
    }
    return margin
  }

  /// Returns the keys of the rows next to one that stays.
  ///
  /// - Parameters:
  ///   - side: On which side of it.
  ///   - row: Its rank in the window before.
  ///   - count: How many rows.
  ///   - rank: How many rows come before the first of them.
  ///   - context: Knows the window before, and reads rows.
  /// - Returns: The keys.
  /// - Throws: ``StaleContents`` where the row is gone; what reading throws.
  private func edge(
    _ side: PlanSQL.Side, _ row: Int, count: Int, from rank: Int,
    in context: borrowing DerivationContext
  ) throws -> [RowKey] {
    let reader = context.reader
    guard reader.queries.seeksEdges else { return try reader.keys(from: rank, count: count) }
    return try reader.keys(side, context.base.key(atRank: row), count: count)
  }

  /// How many more rows come before the first that stays than came before the window.
  private func frontShift(
    _ known: borrowing KnownRows, in context: borrowing DerivationContext
  ) throws -> Int {
    let mark = context.base.key(atRank: known.first)
    let former = try formerCount(before: mark, in: context)
    return known.arrivalCountBefore - former
  }

  /// Returns how many of the touched rows stood before the window.
  ///
  /// - Parameters:
  ///   - mark: The key of a row of the window that stays.
  ///   - context: Knows the window before, and reads rows.
  /// - Returns: Their number.
  /// - Throws: ``StaleContents`` where that is not known; what reading throws.
  private func formerCount(
    before mark: RowKey, in context: borrowing DerivationContext
  ) throws -> Int {
    let others = keys.filter { context.base.rank(of: $0) == nil }
    guard !others.isEmpty else { return 0 }
    let (queries, rowsBefore) = (context.reader.queries, context.rowsBefore)
    guard let places = queries.formerPlaces, let rule = queries.ordering,
      rowsBefore.hasAllRows, rowsBefore.positions.count == queries.plan.itemColumns.count
    else { throw StaleContents() }
    return try context.reader.withOrdering(of: mark) { ordering in
      var count = 0
      for key in others {
        guard let (entry, preImages) = rowsBefore.entry(of: key) else { throw StaleContents() }
        switch entry {
        case .absent: continue
        case .image(let offset):
          let verdict = preImages.withImage(at: offset) { image in
            let values = places.positions.map { image[rowsBefore.positions[$0]] }
            let isBefore = values.withUnsafeBufferPointer { rule.areInOrder($0, ordering) }
            return isBefore ? places.verdict { image[rowsBefore.positions[$0]] } : .unwanted
          }
          switch verdict {
          case .wanted: count += 1
          case .unwanted: continue
          case .unknown: throw StaleContents()
          }
        case .partial, .lost, .untouched: throw StaleContents()
        }
      }
      return count
    }
  }
}
