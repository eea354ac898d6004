internal import GRDBBaseline
internal import Sectile

/// What a window far behind the first row costs a commit, wherever the commit is.
enum WindowBenchmark: Benchmark {
  static let name = "window"
  static let summary =
    "delete a row or insert it, with 100 rows at a tenth of all shown, and with none"

  static func run(_ bench: Bench) throws {
    let offset = bench.size / 10
    let request = FetchRequest<Track>.indexed.limit(100).offset(offset)
    let (store, plain) = (try bench.store(), try bench.store())
    let view = try View(request, in: store)
    let rebuilds = view.results.statistics.rebuildCount
    for (place, rank, told) in [
      ("before it", offset / 2, 2), ("in it", offset + 50, 2), ("behind it", offset * 2, 0),
    ] {
      let tracks = try (0..<bench.commitCount / 2).map { number in
        let rank = rank == offset + 50 ? rank - 40 + number % 80 : rank - number * 3
        return try store.read {
          try $0.fetchAll(FetchRequest<Track>.indexed.limit(1).offset(rank))[0]
        }
      }
      let times = try bench.interleave([
        {
          let time = try commit(tracks, to: store, bench.storage)
          let (count, _) = view.takeDelivered()
          try verify(
            count == told * 2 * tracks.count, "\(count) changes were told of a commit \(place)")
          return time
        },
        { try commit(tracks, to: plain, bench.storage) },
      ])
      bench.reportRatio("1 row \(place) / no window", times[0], to: times[1])
      bench.reportTime("added by the window, 1 row \(place)", zip(times[0], times[1]).map(-))
    }
    let grdb = try bench.grdb()
    let fetches = try bench.interleave([
      {
        let (time, ids) = try Stopwatch.time {
          try grdb.fetchIDs(order: "\(TrackOrder.indexed) LIMIT 100 OFFSET \(offset)")
        }
        try verify(ids.count == 100, "GRDB fetched \(ids.count) rows")
        return time
      }
    ])
    bench.reportTime("fetching the window's keys through GRDB", fetches[0])
    try verify(
      view.results.statistics.rebuildCount == rebuilds, "the window was fetched again")
    try view.verifyContents(in: store)
    try grdb.close()
  }

  /// Deletes each row and inserts it again, and returns the time of one commit.
  private static func commit(
    _ tracks: [Track], to store: Store, _ storage: Storage
  ) throws -> Sample {
    let (time, _) = try Stopwatch.time {
      for track in tracks {
        try store.write { try $0.delete(Track.self, key: track.id) }
        try store.write { try $0.insert(track) }
      }
      if storage == .file { try store.checkpoint() }
    }
    return time / (tracks.count * 2)
  }
}
