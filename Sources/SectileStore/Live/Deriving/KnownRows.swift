import SectileCore

/// The rows of a window that stay, and those that arrive among them: between the first and the last
/// that stay, no other row is missing.
struct KnownRows {
  let touched: TouchedRows
  /// The ranks, in the window before, of the first and the last row that stay.
  ///
  /// Where no other row can stand before the window, or behind it, that end of the window.
  let first: Int
  let last: Int
  /// Whether there may be rows behind the last that nobody touched.
  let hasOthersBehind: Bool
  /// How many there are.
  let count: Int

  private let base: PlanContents
  private let places: TouchedPlaces
  /// Which of the arrivals, in their final order, are among the rows.
  private let arrivals: Range<Int>

  /// Finds the rows.
  ///
  /// - Throws: ``StaleContents`` where none stays.
  init(
    _ touched: TouchedRows, _ places: TouchedPlaces, of base: PlanContents, in plan: FetchPlan
  ) throws {
    let ends = Self.staying(of: base.count, without: touched.leavingRanks)
    // Where the window has room, no others are behind it, and all that arrives is known.
    hasOthersBehind = base.count >= plan.limit ?? .max
    guard ends != nil || plan.offset == 0 && !hasOthersBehind else { throw StaleContents() }
    self.touched = touched
    self.places = places
    self.base = base
    first = plan.offset == 0 ? 0 : ends?.lowerBound ?? 0
    last = hasOthersBehind ? ends?.upperBound ?? 0 : base.count
    let (first, last) = (first, last)
    let start =
      plan.offset == 0 ? 0 : places.insertions.prefix { $0.gap.lowerBound <= first }.count
    arrivals = start..<places.insertions.prefix { $0.gap.lowerBound <= last }.count
    count = base.count - touched.leavingRanks.count + arrivals.count
  }

  /// The ranks of the first and the last row that stay; nil where none does.
  private static func staying(of count: Int, without leaving: [Int]) -> ClosedRange<Int>? {
    var (first, last) = (0, count - 1)
    for rank in leaving {
      guard rank == first else { break }
      first += 1
    }
    for rank in leaving.reversed() {
      guard rank == last else { break }
      last -= 1
    }
    return first <= last ? first...last : nil
  }

  /// How many rows arrive before the first.
  var arrivalCountBefore: Int { arrivals.lowerBound }

  /// The keys of the rows that arrive before the first and behind the last.
  var arrivalsOutside: [RowKey] {
    (places.order[..<arrivals.lowerBound] + places.order[arrivals.upperBound...])
      .map(touched.key(ofArrival:))
  }

  /// Returns the keys of the first rows of them.
  func firstKeys(_ count: Int) -> [RowKey] {
    guard count > 0 else { return [] }
    let leaving = Set(touched.leavingRanks)
    var keys: [RowKey] = []
    var (rank, arrival) = (0, arrivals.lowerBound)
    while keys.count < count {
      if leaving.contains(rank) {
        rank += 1
      } else if arrival < arrivals.upperBound, places.insertions[arrival].gap.lowerBound <= rank {
        keys.append(touched.key(ofArrival: places.order[arrival]))
        arrival += 1
      } else {
        keys.append(base.key(atRank: rank))
        rank += 1
      }
    }
    return keys
  }

  /// Returns the keys of the last rows of them.
  func lastKeys(_ count: Int) -> [RowKey] {
    guard count > 0 else { return [] }
    let leaving = Set(touched.leavingRanks)
    var keys: [RowKey] = []
    var (rank, arrival) = (base.count - 1, arrivals.upperBound - 1)
    while keys.count < count {
      if rank >= 0, leaving.contains(rank) {
        rank -= 1
      } else if arrival >= arrivals.lowerBound,
        places.insertions[arrival].gap.lowerBound > rank
      {
        keys.append(touched.key(ofArrival: places.order[arrival]))
        arrival -= 1
      } else {
        keys.append(base.key(atRank: rank))
        rank -= 1
      }
    }
    return keys
  }
}
