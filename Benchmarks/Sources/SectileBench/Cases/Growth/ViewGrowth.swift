internal import Sectile

/// Many live results on one store, each of a few rows.
enum ViewGrowth: Benchmark {
  static let name = "growth-views"
  static let summary = "10, 100, 1,000 views of one store: register one, commit to one or none"
  static let storages = [Storage.memory]
  static let runsOnce = true

  private static let rowsOfView = 5
  private static let commits = 100

  static func run(_ bench: Bench) throws {
    let plain = try bench.store()
    let observed = try bench.store()
    var views: [View<Track>] = []
    for count in bench.effort.isQuick ? [10, 100] : [10, 100, 1_000] {
      let new = count - views.count
      let (time, _) = try Stopwatch.time {
        while views.count < count { views.append(try makeView(views.count, in: observed)) }
      }
      bench.reportStep("register the \(count)th view", [time / new], of: "register", at: count)
      let tracks = bench.world.tracks
      try measure("commit to one of \(count), added", of: "one", Array(tracks[..<rowsOfView]))
      try verify(views[0].takeDelivered().count > 0, "the first view heard nothing")
      let last = 1_000 * rowsOfView
      try measure("commit to none of \(count), added", of: "none", Array(tracks[last...]))
      try verify(
        views.allSatisfy { $0.takeDelivered().count == 0 }, "an untouched view heard something")

      func measure(_ name: String, of cost: String, _ tracks: [Track]) throws {
        var changes = TrackChanges(tracks)
        let times = try bench.interleave(
          [plain, observed].map { store in
            {
              let tracks = changes.titles(commits)
              return try Stopwatch.time {
                for track in tracks { try store.write { try $0.update(track) } }
              }.time / commits
            }
          })
        bench.reportStep(
          name, zip(times[1], times[0]).map { $0 - $1 }, of: "views: \(cost)", at: count)
      }
    }
    for view in views { try view.verifyContents(in: observed) }
    bench.reportGrowth("register a view, over views", of: "register")
    bench.reportGrowth("commit to one, over views", of: "views: one")
    bench.reportGrowth("commit to none, over views", of: "views: none")
  }

  /// Returns a view of the next few rows.
  private static func makeView(_ position: Int, in store: Store) throws -> View<Track> {
    let lower = Int64(position * rowsOfView)
    let upper = lower + Int64(rowsOfView)
    return try View(
      FetchRequest.indexed.filter { $0.id > lower && $0.id <= upper }, in: store)
  }
}
