internal import Sectile

/// One-row commits, with and without live views.
enum CommitBenchmark: Benchmark {
  static let name = "commit"
  static let summary = "commit one updated row with 0, 1 and 10 live views"
  static let goals = ["P9", "P10", "P12"]
  static let hasFileGoal = true

  private static let addedCost = "added by one view"

  static func run(_ bench: Bench) throws {
    let commits = bench.commitCount
    let plain = try Contestant(bench, [])
    let one = try Contestant(bench, [.indexed])
    let ten = try Contestant(bench, Array(repeating: .indexed, count: 10))
    let c = try bench.baseline()
    var changes = TrackChanges(bench.world.tracks)
    let times = try bench.interleave([
      { try plain.commit(commits) }, { try one.commit(commits) }, { try ten.commit(commits) },
      {
        let tracks = CTracks(changes.titles(commits))
        return try Stopwatch.time {
          for position in 0..<commits { try c.update(tracks, at: position) }
          if bench.storage == .file { try c.checkpoint() }
        }.time / commits
      },
    ])
    bench.reportRatio("1 view / none", times[1], to: times[0], goal: "P9")
    bench.reportRatio("10 equal views / none", times[2], to: times[0], goal: "P10")
    bench.reportRatio("no view / C", times[0], to: times[3])
    let added = zip(times[1], times[0]).map { $0 - $1 }
    bench.reportTime(addedCost, added)
    if bench.storage == .memory {
      bench.reporter.remember(added.map(\.cpu), of: addedCost, at: Double(bench.size))
    }

    for (change, name) in [(Contestant.Change.titleAsSQL, "as SQL text"), (.rating, "no move")] {
      let times = try bench.interleave([
        { try plain.commit(commits, change) }, { try one.commit(commits, change) },
      ])
      bench.reportRatio("1 view / none, \(name)", times[1], to: times[0])
    }
    for contestant in [plain, one, ten] { try contestant.verifyViews() }
  }

  static func conclude(_ bench: Bench) {
    bench.reportGrowth("added by one view, over n", of: addedCost, goal: "P12")
  }
}
