import SectileCore

/// Where touched rows leave, and where they are put in.
struct TouchedPlaces {
  /// The paths before that rows leave.
  let leaving: [ItemPath]
  /// The arrivals by their positions, in their final order.
  let order: [Int]
  /// Where each of them is put in, in the same order.
  let insertions: [SectionEdits.Insertion]

  /// Finds the places of touched rows.
  ///
  /// - Parameters:
  ///   - touched: The rows.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: Their places.
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  static func of(
    _ touched: TouchedRows, in context: borrowing DerivationContext
  ) throws -> TouchedPlaces {
    guard let rule = context.reader.queries.ordering else { throw StaleContents() }
    let leaving = touched.leavingRanks.map { context.base.index.path(atRank: $0) }
    guard !context.keepsEmptySections || !empties(leaving, context.base) else {
      throw StaleContents()
    }
    let order = touched.sortKeys.sorted(by: rule)
    return TouchedPlaces(
      leaving: leaving, order: order,
      insertions: try insertions(touched, by: order, in: context))
  }

  /// Whether the rows are all that some section has.
  ///
  /// A section that outlives its rows loses the title and the place that they gave it.
  private static func empties(_ leaving: [ItemPath], _ base: PlanContents) -> Bool {
    var counts: [Int: Int] = [:]
    for path in leaving { counts[path.section, default: 0] += 1 }
    return counts.contains { $0.value == base.index.count(inSection: $0.key) }
  }

  private static func insertions(
    _ touched: TouchedRows, by order: [Int], in context: borrowing DerivationContext
  ) throws -> [SectionEdits.Insertion] {
    let search = PositionSearch(removed: touched.leavingRanks)
    var start = 0
    // Rows of one section follow one another.
    var last = -1
    var ranks = 0..<0
    var insertions: [SectionEdits.Insertion] = []
    insertions.reserveCapacity(order.count)
    for arrival in order {
      let (row, home) = (touched.arrivals[arrival].row, touched.arrivals[arrival].home)
      if case .existing(let section) = home, section != last {
        (last, ranks) = (section, context.base.index.ranks(ofSection: section))
      }
      let gap = try touched.sortKeys.withRow(arrival) {
        try search.gap(
          for: touched.rows[row].key, $0, among: home.isNew ? nil : ranks, from: start,
          in: context)
      }
      start = gap.lowerBound
      insertions.append(SectionEdits.Insertion(home: home, gap: gap))
    }
    return insertions
  }
}
