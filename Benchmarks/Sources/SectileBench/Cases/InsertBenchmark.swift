internal import GRDBBaseline
internal import Sectile

/// Inserting all rows in one transaction into an empty table.
enum InsertBenchmark: Benchmark {
  static let name = "insert"
  static let summary = "bulk insert, against C and GRDB's record.insert"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let rows = CTracks(world.tracks)
    let records = world.tracks.map(HandTrack.init)
    for isIndexed in [false, true] {
      let label = isIndexed ? "indexed" : "no index"
      let times = try bench.interleave([
        {
          let store = try world.store(isFilled: false, isIndexed: isIndexed)
          let (time, count) = try Stopwatch.time {
            try store.write { try $0.insert(contentsOf: world.tracks) }
          }
          try verify(count == world.size, "\(count) rows were inserted")
          let request = FetchRequest<Track>()
          try verify(
            store.read { try $0.fetchCount(request) } == world.size, "the table lacks rows")
          try store.close()
          return time
        },
        {
          let c = try world.baseline(isFilled: false, isIndexed: isIndexed)
          let (time, _) = try Stopwatch.time { try c.insert(rows) }
          try verify(
            c.readList(order: "id", section: "genre").ids.count == world.size, "C lacks rows")
          return time
        },
        {
          let grdb = try world.grdb(isFilled: false, isIndexed: isIndexed)
          let (time, _) = try Stopwatch.time { try grdb.insert(records) }
          try verify(grdb.fetchTracks().count == world.size, "GRDB lacks rows")
          try grdb.close()
          return time
        },
      ])
      bench.reportRatio(
        "\(label) / C", times[0], to: times[1],
        goal: isIndexed ? Goal("P7", must: 1.10, aim: 1.03) : Goal("P7", must: 1.25, aim: 1.10))
      bench.reportRatio(
        "\(label) / GRDB record.insert", times[0], to: times[2],
        goal: Goal("P8", must: 0.15, aim: 0.12))
    }
  }
}
