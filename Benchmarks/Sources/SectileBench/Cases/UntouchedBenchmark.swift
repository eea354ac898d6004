internal import Sectile

/// What views cost that a commit does not touch.
enum UntouchedBenchmark: Benchmark {
  static let name = "untouched"
  static let summary = "commit to a table that no view follows, with 100 views on another"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let viewCount = 100
    let commits = 500
    let plain = try world.store()
    let observed = try world.store()
    for store in [plain, observed] {
      try store.write { _ = try $0.insert(Other(id: 1, note: "")) }
    }
    let views = try (0..<viewCount).map { _ in
      try View(FetchRequest.indexed.filter { $0.id <= 10 }, in: observed)
    }
    var round = 0
    func commit(_ store: Store) throws -> Double {
      round += 1
      let note = "note \(round)"
      let (time, _) = try Stopwatch.time {
        for _ in 0..<commits { try store.write { try $0.update(Other(id: 1, note: note)) } }
      }
      return time / Double(commits)
    }
    let times = try bench.interleave([{ try commit(observed) }, { try commit(plain) }])
    try verify(
      views.allSatisfy { $0.takeDeliveredRows() == 0 }, "an untouched view heard something")
    bench.report(
      "added by each untouched view",
      zip(times[0], times[1]).map { ($0 - $1) / 1e3 / Double(viewCount) }, .microseconds,
      goal: Goal("P16", must: 0.5, aim: 0.1))
  }
}
