internal import CBaseline
internal import GRDBBaseline
internal import Sectile

/// Decoding every column of every row.
enum DecodeBenchmark: Benchmark {
  static let name = "decode"
  static let summary = "fetch all rows as entities, against C and GRDB"
  static let goals = ["P5", "P6", "P6-codable"]

  static func run(_ bench: Bench) throws {
    let tracks = bench.world.tracks
    let store = try bench.store()
    let c = try bench.baseline()
    let grdb = try bench.grdb()
    let request = FetchRequest<Track>()

    let times = try bench.interleave([
      {
        let (time, fetched) = try Stopwatch.time { try store.read { try $0.fetchAll(request) } }
        try verify(fetched == tracks, "other rows than were written")
        return time
      },
      {
        try c.decode { rows in
          try verify(rows.count == tracks.count, "C has other rows")
          for (row, track) in zip(rows, tracks) {
            try verify(
              row.id == track.id && row.title_count == track.title.utf8.count
                && row.added_at == track.addedAt, "C has other rows")
          }
        }
      },
      {
        let (time, fetched) = try Stopwatch.time { try grdb.fetchTracks() }
        try verify(
          fetched.count == tracks.count
            && zip(fetched, tracks).allSatisfy { $0.title == $1.title && $0.genre == $1.genre },
          "GRDB has other rows")
        return time
      },
      {
        let (time, fetched) = try Stopwatch.time { try grdb.fetchCodableTracks() }
        try verify(
          fetched.count == tracks.count
            && zip(fetched, tracks).allSatisfy { $0.title == $1.title && $0.addedAt == $1.addedAt },
          "GRDB has other rows")
        return time
      },
    ])
    bench.reportRatio("entities / C with malloc", times[0], to: times[1], goal: "P5")
    bench.reportRatio("entities / GRDB by hand", times[0], to: times[2], goal: "P6")
    bench.reportRatio("entities / GRDB Codable", times[0], to: times[3], goal: "P6-codable")
  }
}
