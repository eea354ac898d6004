internal import Sectile

/// What live aggregates add to a commit.
///
/// The instructions of the same are counted by `scripts/guard`, which judges them.
enum AggregateBenchmark: Benchmark {
  static let name = "aggregates"
  static let summary =
    "commit one row that changes sums and averages, with five aggregates and without"
  static let goals = ["Q5"]

  static func run(_ bench: Bench) throws {
    let aggregated = FetchRequest<Track>.indexed.aggregating(
      Aggregate<Track, Int>.count(), Aggregate.sum(\Track.rating), Aggregate.average(\Track.rating),
      Aggregate.sum(\Track.addedAt), Aggregate.maximum(\Track.addedAt))
    let sides = [try Contestant(bench, [.indexed]), try Contestant(bench, [aggregated])]
    let times = try bench.interleave(
      sides.map { side in { try side.commit(bench.commitCount, .rating) } })
    bench.reportRatio("1 row, 5 aggregates / none", times[1], to: times[0], goal: "Q5")
    for side in sides { try side.verifyViews() }
  }
}
