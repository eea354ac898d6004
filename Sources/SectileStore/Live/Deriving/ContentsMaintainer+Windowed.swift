import SectileCore

// A window of the first rows, of which others stand behind. In the order of the rows:
//
//   window before    a  b  c  d  e              others, not known:  f  g  h …
//   touched          b gone, x new, y new
//   last that stays              e              all others stand behind it
//   after            a  x  c  d  e │ y ? f ?
//                    known         │ read by rank, as many as the window has room for
//
// Where the known rows are more than the window has room for, those at its end leave it.
extension ContentsMaintainer {
  /// Returns the change that touched rows make to the first rows of all, or nil where they make none.
  ///
  /// - Parameters:
  ///   - keys: The keys of the touched rows, ascending.
  ///   - limit: How many rows there may be.
  /// - Returns: The change.
  /// - Throws: ``StaleContents`` where the contents do not fit the database, or none of their rows stays; what
  ///   reading throws.
  /// - Complexity: O(*c* log *n*) for *c* touched rows of *n* in the window; where rows enter at its end, SQLite
  ///   steps over those before them.
  func windowedChange(touching keys: [RowKey], limit: Int) throws -> PlanChange? {
    let touched = try read(keys)
    guard !touched.rows.isEmpty else { return nil }
    let places = try places(of: touched)
    let margin = try margin(touched, places, limit: limit)
    guard !margin.isEmpty else { return try change(of: touched, at: places) }
    let all = Set(keys).union(margin.entering).union(margin.leaving)
    let widened = try read(all.sorted { $0.comesBefore($1) }, outside: margin.leaving)
    guard !widened.rows.isEmpty else { return nil }
    return try change(of: widened, at: self.places(of: widened))
  }

  /// The rows at the end of the window that are there for others' sake.
  private struct Margin {
    /// Rows that may not be in the window, whatever the filter says of them.
    var leaving: Set<RowKey> = []
    /// Rows that are in it although nobody touched them.
    var entering: [RowKey] = []

    var isEmpty: Bool { leaving.isEmpty && entering.isEmpty }
  }

  private func margin(
    _ touched: TouchedRows, _ places: TouchedPlaces, limit: Int
  ) throws -> Margin {
    let stayingCount = base.count - touched.leavingRanks.count
    // Where the window has room, no others are behind it, and all that arrives is known.
    let hasOthers = base.count >= limit
    let last = hasOthers ? lastStaying(touched.leavingRanks) : base.count
    guard let last else {
      if limit == 0 { return Margin(leaving: Set(touched.rows.map(\.key))) }
      throw StaleContents()
    }
    let knownCount = places.insertions.prefix { $0.gap.lowerBound <= last }.count
    let count = stayingCount + knownCount
    var margin = Margin()
    if count < limit, hasOthers {
      margin.entering = try reader.keys(from: count, count: limit - count)
    }
    let entering = Set(margin.entering)
    for arrival in places.order[knownCount...] {
      let key = touched.key(ofArrival: arrival)
      if !entering.contains(key) { margin.leaving.insert(key) }
    }
    if !entering.isEmpty {
      let known = Set(touched.rows.map(\.key))
      margin.entering.removeAll { known.contains($0) }
    }
    if count > limit {
      margin.leaving.formUnion(
        end(count - limit, touched, places.order[..<knownCount], places.insertions))
    }
    return margin
  }

  /// The rank of the last row that stays where it is; nil where none does.
  private func lastStaying(_ leavingRanks: [Int]) -> Int? {
    var last = base.count - 1
    for rank in leavingRanks.reversed() {
      guard rank == last else { break }
      last -= 1
    }
    return last < 0 ? nil : last
  }

  /// The last of the rows that stay or arrive.
  private func end(
    _ count: Int, _ touched: TouchedRows, _ order: ArraySlice<Int>,
    _ insertions: [SectionEdits.Insertion]
  ) -> [RowKey] {
    let leaving = Set(touched.leavingRanks)
    var keys: [RowKey] = []
    var rank = base.count - 1
    var arrival = order.count - 1
    while keys.count < count {
      if rank >= 0, leaving.contains(rank) {
        rank -= 1
      } else if arrival >= 0, insertions[arrival].gap.lowerBound > rank {
        keys.append(touched.key(ofArrival: order[arrival]))
        arrival -= 1
      } else {
        keys.append(base.keys.key(of: base.index.handle(at: base.index.path(atRank: rank))))
        rank -= 1
      }
    }
    return keys
  }
}
