internal import GRDBBaseline
internal import Sectile

/// From a commit to the difference, compared with what one does with GRDB alone.
enum ObserveBenchmark: Benchmark {
  static let name = "observe"
  static let summary = "commit to delivered difference, against ValueObservation + difference"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let contestant = try Contestant(world, viewCount: 1)
    let grdb = try world.grdb()
    let observation = grdb.observe(order: TrackOrder.indexed)
    var changes = TitleChanges(world.tracks)
    let commits = 5

    let times = try bench.interleave([
      { try contestant.commit(100) },
      {
        let tracks = changes.next(commits).map(HandTrack.init)
        let (time, differences) = try Stopwatch.time {
          try tracks.map { track in
            try grdb.update(track)
            return observation.nextDifference()
          }
        }
        // One move is a removal and an insertion; a title may also keep its place.
        try verify(differences.allSatisfy { $0 == 2 || $0 == 0 }, "differences \(differences)")
        return time / Double(commits)
      },
    ])
    try contestant.verifyViews()
    let goal =
      world.size >= 100_000
      ? Goal("P11", must: 1 / 300, aim: 1 / 800) : Goal("P11", must: 1 / 30, aim: 1 / 100)
    bench.reportRatio("1 row / ValueObservation + difference", times[0], to: times[1], goal: goal)
  }
}
