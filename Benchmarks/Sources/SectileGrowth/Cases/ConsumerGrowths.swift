internal import Sectile

/// Commits while consumers sleep that are behind, each by another number of changesets.
struct SleepingConsumersGrowth: GrowthCase {
  static let name = "sleeping-consumers"
  static let summary = "500 commits beside consumers that sleep at distinct versions; the consumers"
  static let sizes = (small: 10, large: 1_000)
  static let exponent = 0.0

  private let store: Store
  private let results: SectionedResults<Thing>
  private let consumers: [ChangesetSequence<Int64, Thing>]
  private var number = 0

  init(size: Int) throws {
    store = try Things.store(1_000)
    results = try store.view(.byID)
    var consumers: [ChangesetSequence<Int64, Thing>] = []
    for _ in 0..<size {
      consumers.append(results.follow().changesets)
      number += 1
      try store.commit(rank: number, of: number % 1_000 + 1)
    }
    self.consumers = consumers
  }

  mutating func perform() throws {
    for _ in 0..<500 {
      number += 1
      try store.commit(rank: number, of: number % 1_000 + 1)
    }
    try check(results.version > 500, "version \(results.version)")
    withExtendedLifetime(consumers) {}
  }
}
