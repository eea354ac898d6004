internal import CBaseline
internal import GRDBBaseline
internal import Sectile

/// Decoding every column of every row.
enum DecodeBenchmark: Benchmark {
  static let name = "decode"
  static let summary = "fetch all rows as entities, against C and GRDB"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let store = try world.store()
    let c = try world.baseline()
    let grdb = try world.grdb()
    let request = FetchRequest<Track>()

    let times = try bench.interleave([
      {
        let (time, tracks) = try Stopwatch.time { try store.read { try $0.fetchAll(request) } }
        try verify(tracks == world.tracks, "other rows than were written")
        return time
      },
      {
        var error: (any Error)?
        let start = Stopwatch.nanoseconds
        var pause = 0.0
        try c.decode { rows in
          let before = Stopwatch.nanoseconds
          if rows.count != world.size || rows[rows.count - 1].id != world.size {
            error = WrongResult("C has other rows")
          }
          pause = Stopwatch.nanoseconds - before
        }
        if let error { throw error }
        return Stopwatch.nanoseconds - start - pause
      },
      {
        let (time, tracks) = try Stopwatch.time { try grdb.fetchTracks() }
        try verify(tracks.last?.title == world.tracks.last?.title, "GRDB has other rows")
        return time
      },
      {
        let (time, tracks) = try Stopwatch.time { try grdb.fetchCodableTracks() }
        try verify(tracks.last?.addedAt == world.tracks.last?.addedAt, "GRDB has other rows")
        return time
      },
    ])
    bench.reportRatio(
      "entities / C with malloc", times[0], to: times[1], goal: Goal("P5", must: 1.20, aim: 1.08))
    bench.reportRatio(
      "entities / GRDB by hand", times[0], to: times[2], goal: Goal("P6", must: 0.80, aim: 0.70))
    bench.reportRatio(
      "entities / GRDB Codable", times[0], to: times[3], goal: Goal("P6", must: 0.27, aim: 0.23))
  }
}
