internal import GRDBBaseline
internal import Sectile

/// Opening live results in the order of an index: all rows, and the first batch.
enum OpenBenchmark: Benchmark {
  static let name = "open"
  static let summary = "open live results in an index's order, against C and GRDB records"
  static let goals = ["P1", "P3", "P4"]

  static func run(_ bench: Bench) throws {
    let store = try bench.store()
    let c = try bench.baseline()
    let grdb = try bench.grdb()
    let list = try c.readList(order: TrackOrder.indexed, section: "genre")
    var firstBatches: [Sample] = []
    var afterwards: [Sample] = []
    var checks = 0

    let times = try bench.interleave([
      {
        checks += 1
        let times = try Opening.measure(.indexed, in: store, list, isComplete: checks == 1)
        // The round that does not count for the others does not count here either.
        if checks > 1 {
          firstBatches.append(times.first)
          afterwards.append(times.afterwards)
        }
        return times.all
      },
      { try Opening.measureBaseline(c, TrackOrder.indexed, section: "genre", list) },
      {
        let (time, sections) = try Stopwatch.time {
          try grdb.fetchSections(order: TrackOrder.indexed)
        }
        try verify(
          sections.count == list.starts.count && sections.last?.tracks.last?.id == list.ids.last
            && sections.reduce(0) { $0 + $1.tracks.count } == list.ids.count,
          "GRDB has other rows")
        return time
      },
    ])
    bench.reportRatio("indexed / C ids + sections", times[0], to: times[1], goal: "P1")
    bench.reportRatio("indexed / GRDB records + grouping", times[0], to: times[2], goal: "P3")
    bench.reportRatio("first batch / all", firstBatches, to: times[0], goal: "P4")
    bench.reportTime("in the background after opening", afterwards)
  }
}
