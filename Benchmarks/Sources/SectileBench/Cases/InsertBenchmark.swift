internal import GRDBBaseline
internal import Sectile

/// Inserting all rows in one transaction into an empty table.
enum InsertBenchmark: Benchmark {
  static let name = "insert"
  static let summary = "bulk insert, against C and GRDB's record.insert"
  static let goals = ["P7", "P7-indexed", "P8"]

  static func run(_ bench: Bench) throws {
    // A million rows are written in memory alone: a file takes longer without telling more.
    guard bench.storage == .memory || bench.size <= 100_000 else { return }
    for isIndexed in [false, true] {
      let schema = [World.table] + (isIndexed ? [World.index] : [])
      let times = try bench.interleave([
        { try insertEntities(bench, schema) }, { try insertInC(bench, schema) },
      ])
      bench.reportRatio(
        isIndexed ? "indexed / C" : "no index / C", times[0], to: times[1],
        goal: isIndexed ? "P7-indexed" : "P7")
    }
    let records = bench.world.tracks.map(HandTrack.init)
    let times = try bench.interleave([
      { try insertEntities(bench, [World.table]) },
      { try insertRecords(bench, [World.table], records) },
    ])
    bench.reportRatio("no index / GRDB record.insert", times[0], to: times[1], goal: "P8")
  }

  private static func insertEntities(_ bench: Bench, _ schema: [String]) throws -> Sample {
    let store = try World.emptyStore(bench.storage, in: bench.folder, schema: schema)
    let tracks = bench.world.tracks
    let (time, count) = try Stopwatch.time {
      try store.write { try $0.insert(contentsOf: tracks) }
    }
    let sum = try store.read {
      try $0.query("SELECT count(*), sum(id), sum(length(title)) FROM track")
    }[0]
    let lengths = tracks.reduce(0) { $0 + $1.title.utf8.count }
    try verify(
      count == tracks.count
        && sum.values == [
          .integer(Int64(tracks.count)), .integer(tracks.reduce(0) { $0 + $1.id }),
          .integer(Int64(lengths)),
        ],
      "\(count) rows were inserted, or others")
    try store.close()
    return time
  }

  private static func insertInC(_ bench: Bench, _ schema: [String]) throws -> Sample {
    let path = bench.storage == .file ? bench.folder.newPath() : nil
    let c = try CDatabase(path: path)
    for sql in schema { try c.execute(sql) }
    let rows = bench.world.rows
    let (time, _) = try Stopwatch.time { try c.insert(rows) }
    try verify(
      c.readList(order: "id", section: "genre").ids.count == bench.size, "C lacks rows")
    return time
  }

  private static func insertRecords(
    _ bench: Bench, _ schema: [String], _ records: [HandTrack]
  ) throws -> Sample {
    let grdb = try GRDBDatabase(path: bench.storage == .file ? bench.folder.newPath() : nil)
    for sql in schema { try grdb.execute(sql) }
    let (time, _) = try Stopwatch.time { try grdb.insert(records) }
    try verify(grdb.fetchIDs(order: "id").count == bench.size, "GRDB lacks rows")
    try grdb.close()
    return time
  }
}
