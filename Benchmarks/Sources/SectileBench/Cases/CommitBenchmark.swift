internal import GRDBBaseline
internal import Sectile

/// One-row commits, with and without live views.
enum CommitBenchmark: Benchmark {
  static let name = "commit"
  static let summary = "commit one updated row with 0, 1 and 10 live views, against C and GRDB"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let c = try world.baseline()
    let grdb = try world.grdb()
    let contestants = try [0, 1, 10].map { try Contestant(world, viewCount: $0) }
    let commits = 100

    var changes = TitleChanges(world.tracks)
    var grdbChanges = TitleChanges(world.tracks)
    let times = try bench.interleave(
      contestants.map { contestant in { try contestant.commit(commits) } } + [
        {
          let tracks = CTracks(changes.next(commits))
          return try Stopwatch.time {
            for position in 0..<commits { try c.update(tracks, at: position) }
          }.nanoseconds / Double(commits)
        },
        {
          let tracks = grdbChanges.next(commits).map(HandTrack.init)
          return try Stopwatch.time { for track in tracks { try grdb.update(track) } }
            .nanoseconds / Double(commits)
        },
      ])
    for contestant in contestants { try contestant.verifyViews() }

    let isFile = bench.storage == .file
    bench.reportRatio("no view / C", times[0], to: times[3])
    bench.reportRatio(
      "no view / GRDB write, cached statement", times[0], to: times[4],
      goal: isFile ? Goal("P17", must: 1.10, aim: 1.00) : nil)
    bench.reportRatio(
      "1 view / no view", times[1], to: times[0],
      goal: isFile ? Goal("P9", must: 1.30, aim: 1.15) : Goal("P9", must: 2.0, aim: 1.6))
    bench.reportRatio(
      "10 views / no view", times[2], to: times[0],
      goal: isFile ? Goal("P10", must: 2.5, aim: 1.5) : Goal("P10", must: 6.5, aim: 3.0))
    bench.report(
      "added by 1 view", zip(times[1], times[0]).map { ($0 - $1) / 1e3 }, .microseconds)
  }
}

/// A store with views, and the row changes it goes through.
final class Contestant {
  let store: Store
  let views: [View]
  private var changes: TitleChanges

  init(_ world: World, viewCount: Int) throws {
    let store = try world.store()
    self.store = store
    views = try (0..<viewCount).map { _ in try View(.indexed, in: store) }
    changes = TitleChanges(world.tracks)
  }

  /// Commits one changed row after the other, and returns the time of one commit.
  func commit(_ count: Int) throws -> Double {
    let tracks = changes.next(count)
    let (time, _) = try Stopwatch.time {
      for track in tracks { try store.write { try $0.update(track) } }
    }
    for view in views {
      let delivered = view.takeDeliveredRows()
      try verify(delivered == count, "\(delivered) of \(count) changes were delivered")
    }
    return time / Double(count)
  }

  func verifyViews() throws {
    for view in views { try view.verifyContents(in: store) }
  }
}
