internal import GRDBBaseline
internal import Sectile

/// One-row commits without a view, next to GRDB's.
enum WriteBenchmark: Benchmark {
  static let name = "write"
  static let summary = "commit one updated row without a view, against GRDB and C"
  static let goals = ["P17"]
  static let hasFileGoal = true

  static func run(_ bench: Bench) throws {
    let commits = bench.commitCount
    let store = try Contestant(bench, [])
    let grdb = try bench.grdb()
    let c = try bench.baseline()
    var grdbChanges = TrackChanges(bench.world.tracks)
    var changes = TrackChanges(bench.world.tracks)
    let times = try bench.interleave([
      { try store.commit(commits) },
      {
        let tracks = grdbChanges.titles(commits).map(HandTrack.init)
        return try Stopwatch.time {
          for track in tracks { try grdb.update(track) }
          if bench.storage == .file { try grdb.checkpoint() }
        }.time / commits
      },
      {
        let tracks = CTracks(changes.titles(commits))
        return try Stopwatch.time {
          for position in 0..<commits { try c.update(tracks, at: position) }
          if bench.storage == .file { try c.checkpoint() }
        }.time / commits
      },
    ])
    bench.reportRatio(
      "store.write / GRDB write, cached statement", times[0], to: times[1],
      goal: bench.storage == .file ? "P17" : nil)
    bench.reportRatio("store.write / C", times[0], to: times[2])
    // Both made the same changes in the same order, so the tables must be equal.
    let ids = try store.store.read { transaction in
      try transaction.fetchAll(FetchRequest<Track>.indexed).map(\.id)
    }
    try verify(ids == grdb.fetchIDs(order: TrackOrder.indexed), "GRDB wrote other rows")
  }
}
