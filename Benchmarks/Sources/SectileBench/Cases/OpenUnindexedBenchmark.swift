internal import Sectile

/// Opening live results in an order that no index has.
enum OpenUnindexedBenchmark: Benchmark {
  static let name = "open-unindexed"
  static let summary = "open live results without a usable index, against C that lets SQLite sort"
  static let goals = ["P2"]

  static func run(_ bench: Bench) throws {
    let store = try bench.store()
    let c = try bench.baseline()
    let list = try c.readList(order: TrackOrder.unindexed, section: "artist")
    var checks = 0
    let times = try bench.interleave([
      {
        checks += 1
        return try Opening.measure(.unindexed, in: store, list, isComplete: checks == 1).all
      },
      { try Opening.measureBaseline(c, TrackOrder.unindexed, section: "artist", list) },
    ])
    bench.reportRatio("no index / C letting SQLite sort", times[0], to: times[1], goal: "P2")
  }
}
