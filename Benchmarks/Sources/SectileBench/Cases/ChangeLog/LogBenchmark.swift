internal import Sectile

/// What a change log in the file adds to the commits of a store.
///
/// The instructions of the same are counted by `scripts/guard`, which judges them.
enum LogBenchmark: Benchmark {
  static let name = "log"
  static let summary = "commit one row, and 10,000 in a transaction, with a change log and without"
  static let goals = ["L1"]
  static let hasFileGoal = true

  private static let bulk = 10_000

  static func run(_ bench: Bench) throws {
    // A commit costs the same at all sizes.
    guard bench.size <= 100_000 else { return }
    try commitRows(bench)
    try commitMany(bench)
  }

  private static func commitRows(_ bench: Bench) throws {
    for (views, name) in [([], "1 row"), ([FetchRequest<Track>.indexed], "1 row, 1 view")] {
      let sides = try contestants(bench, views)
      let times = try bench.interleave(
        sides.map { side in { try side.commit(bench.commitCount) } })
      bench.reportRatio(
        "\(name), log / none", times[1], to: times[0], goal: views.isEmpty ? "L1" : nil)
      for side in sides { try side.verifyViews() }
    }
  }

  private static func commitMany(_ bench: Bench) throws {
    let sides = try contestants(bench, [])
    let updated = try bench.interleave(
      sides.map { side in
        {
          try transaction(on: side.store, bench) {
            try $0.execute(
              "UPDATE track SET rating = rating + 1 WHERE id IN (SELECT id FROM picked)")
            return try $0.changesCount
          }
        }
      })
    bench.reportRatio("10k rows updated, log / none", updated[1], to: updated[0])
    var generator = TrackGenerator(seed: 13)
    let tracks = (0..<bulk).map { generator.track(id: Int64(10_000_000 + $0)) }
    let inserted = try bench.interleave(
      sides.map { side in
        {
          let time = try transaction(on: side.store, bench) {
            try $0.insert(contentsOf: tracks)
          }
          try side.store.write { try $0.execute("DELETE FROM track WHERE id >= 10000000") }
          return time
        }
      })
    bench.reportRatio("10k rows inserted, log / none", inserted[1], to: inserted[0])
  }

  /// Returns a contestant without a log, and one with it.
  private static func contestants(
    _ bench: Bench, _ views: [FetchRequest<Track>]
  ) throws -> [Contestant] {
    let sides = [try Contestant(bench, views), try Contestant(bench, views)]
    try sides[1].store.changeLog.enable()
    // The schema is another one now: whoever follows has read everything once more.
    for view in sides[1].views { _ = view.takeDelivered() }
    return sides
  }

  /// Returns the time of a transaction for each of its rows.
  private static func transaction(
    on store: Store, _ bench: Bench, _ body: (StoreTransaction) throws -> Int
  ) throws -> Sample {
    let (time, count) = try Stopwatch.time {
      let count = try store.write(body)
      if bench.storage == .file { try store.checkpoint() }
      return count
    }
    try verify(count == bulk, "\(count) rows were written")
    return time / count
  }
}
