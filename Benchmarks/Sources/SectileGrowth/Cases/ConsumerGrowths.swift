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
    results = try store.results(of: FetchRequest<Thing>().sort(by: \.id))
    try results.load()
    var consumers: [ChangesetSequence<Int64, Thing>] = []
    for _ in 0..<size {
      consumers.append(results.follow().changesets)
      number += 1
      try Self.write(number, to: store)
    }
    self.consumers = consumers
  }

  mutating func perform() throws {
    for _ in 0..<500 {
      number += 1
      try Self.write(number, to: store)
    }
    try check(results.version > 500, "version \(results.version)")
    withExtendedLifetime(consumers) {}
  }

  private static func write(_ number: Int, to store: Store) throws {
    let id = number % 1_000 + 1
    try store.write { try $0.execute("UPDATE thing SET rank = \(number) WHERE id = \(id)") }
  }
}
