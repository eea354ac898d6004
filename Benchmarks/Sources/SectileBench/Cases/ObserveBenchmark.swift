internal import GRDBBaseline
internal import Sectile

/// From a commit to the difference, compared with what one does with GRDB alone.
enum ObserveBenchmark: Benchmark {
  static let name = "observe"
  static let summary = "commit to delivered difference, against ValueObservation + difference"
  static let goals = ["P11", "P11-100k", "P11-1m"]

  static func run(_ bench: Bench) throws {
    let contestant = try Contestant(bench, [.indexed])
    let grdb = try bench.grdb()
    let observation = grdb.observe(order: TrackOrder.indexed)
    var changes = TrackChanges(bench.world.tracks)
    let commits = bench.size >= 1_000_000 ? 2 : 5

    let times = try bench.interleave([
      { try contestant.commit(bench.commitCount) },
      {
        let tracks = changes.titles(commits).map(HandTrack.init)
        let (time, differences) = try Stopwatch.time {
          try tracks.map { track in
            try grdb.update(track)
            return observation.nextDifference()
          }
        }
        // One move is a removal and an insertion; a new title may also keep its place.
        try verify(differences.allSatisfy { $0 == 2 || $0 == 0 }, "differences \(differences)")
        return time / commits
      },
    ])
    try contestant.verifyViews()
    try verify(
      observation.values == grdb.fetchIDs(order: TrackOrder.indexed), "GRDB observed other ids")
    bench.reportRatio(
      "1 row / ValueObservation + difference", times[0], to: times[1],
      goal: bench.size < 100_000 ? "P11" : bench.size < 1_000_000 ? "P11-100k" : "P11-1m")
  }
}
