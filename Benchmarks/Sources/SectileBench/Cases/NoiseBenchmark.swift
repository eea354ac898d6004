internal import CBaseline
internal import Sectile

/// The same work on two equal databases: how far apart two sides come out on this machine without
/// any reason of their own.
enum NoiseBenchmark: Benchmark {
  static let name = "noise"
  static let summary = "the same work twice, in C: how quiet the machine is"
  static let storages: [Storage] = [.memory]

  static func run(_ bench: Bench) throws {
    let databases = [try bench.baseline(), try bench.baseline()]
    let commits = bench.commitCount
    let commitTimes = try bench.interleave(
      databases.map { c in
        var changes = TrackChanges(bench.world.tracks)
        return {
          let tracks = CTracks(changes.titles(commits))
          return try Stopwatch.time {
            for position in 0..<commits { try c.update(tracks, at: position) }
          }.time / commits
        }
      })
    bench.reportRatio("commit, C / C", commitTimes[0], to: commitTimes[1])
    let decodeTimes = try bench.interleave(
      databases.map { c in
        {
          try c.decode { rows in
            try verify(rows.count == bench.size, "C has other rows")
          }
        }
      })
    bench.reportRatio("decode, C / C", decodeTimes[0], to: decodeTimes[1])
  }

  /// Says how far figures can be trusted; nil where that was not measured.
  static func conclusion(from figures: [Figure]) -> String? {
    let ratios = figures.filter { $0.benchmark == name }.map(\.value)
    guard let lower = ratios.map(\.lower).min(), let upper = ratios.map(\.upper).max() else {
      return nil
    }
    return """
      Noise: of the same work done twice, the middle half of the rounds came out between \
      \(FigureTable.number(lower)) and \(FigureTable.number(upper)) times as long.
      """
  }
}
