internal import Sectile

/// What views cost that a commit does not touch.
enum UntouchedBenchmark: Benchmark {
  static let name = "untouched"
  static let summary = "commit to a table that no view follows, with 100 views on another"
  static let goals = ["P16"]
  static let storages = [Storage.memory]

  private static let viewCount = 100
  private static let commits = 500

  static func run(_ bench: Bench) throws {
    let plain = try bench.store()
    let observed = try bench.store()
    let views = try (0..<viewCount).map { _ in
      try View(FetchRequest.indexed.filter { $0.id <= 10 }, in: observed)
    }
    var round = 0
    let otherTable = try bench.interleave(
      [observed, plain].map { store in
        {
          round += 1
          return try commit(to: store) { Other(id: 1, note: "note \(round) \($0)") }
        }
      })
    bench.reportTime(
      "added by each view of another table",
      zip(otherTable[0], otherTable[1]).map { ($0 - $1) / viewCount }, goal: "P16")

    var changes = TrackChanges(Array(bench.world.tracks[10...]))
    let otherRow = try bench.interleave(
      [observed, plain].map { store in
        {
          let tracks = changes.titles(commits)
          return try commit(to: store) { tracks[$0] }
        }
      })
    bench.reportTime(
      "added by each view that filters the row out",
      zip(otherRow[0], otherRow[1]).map { ($0 - $1) / viewCount })
    try verify(
      views.allSatisfy { $0.takeDelivered().count == 0 }, "an untouched view heard something")
  }

  private static func commit<E: Entity>(
    to store: Store, _ entity: (Int) -> E
  ) throws -> Sample {
    let entities = (0..<commits).map(entity)
    let (time, _) = try Stopwatch.time {
      for entity in entities { try store.write { try $0.update(entity) } }
    }
    return time / commits
  }
}
