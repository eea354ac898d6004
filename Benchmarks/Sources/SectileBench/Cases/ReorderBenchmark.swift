internal import GRDBBaseline
internal import Sectile

/// Moves of one row in a list whose order is stored, shown by live results.
///
/// What is next to it writes two rows by their keys, and shows nobody anything: the least that a
/// program does which swaps two neighbours by hand.
enum ReorderBenchmark: Benchmark {
  static let name = "reorder"
  static let summary = "move a row of a list in its order, next to two updates through GRDB"

  static func run(_ bench: Bench) throws {
    let commits = bench.commitCount
    let script = Listed.script(bench.size)
    let store = try World.emptyStore(bench.storage, in: bench.folder, schema: script)
    let view = try View(.reorderable, in: store)
    let grdb = try GRDBDatabase(path: bench.storage == .file ? bench.folder.newPath() : nil)
    for sql in script { try grdb.execute(sql) }
    var generator = TrackGenerator(seed: 5)
    let times = try bench.interleave([
      { try move(commits, view, in: store, bench, &generator) },
      {
        let places = (0..<commits).map { _ in
          (0..<2).map { _ in
            (
              id: Int64(generator.number(1..<bench.size + 1)),
              position: Int64(generator.number(1..<bench.size * 1024))
            )
          }
        }
        return try Stopwatch.time {
          for pair in places { try grdb.place(pair) }
          if bench.storage == .file { try grdb.checkpoint() }
        }.time / commits
      },
    ])
    bench.reportRatio("move, 1 view / two GRDB updates", times[0], to: times[1])
    bench.reportTime("a move, told to its view", times[0])
    try view.verifyContents(in: store)
    try grdb.close()
  }

  private static func move(
    _ count: Int, _ view: View<Listed>, in store: Store, _ bench: Bench,
    _ generator: inout TrackGenerator
  ) throws -> Sample {
    let moves = (0..<count).map { _ -> (ItemPath, ItemPath) in
      let section = generator.number(0..<10)
      let room = view.results.numberOfItems(in: section)
      let source = generator.number(0..<room)
      // Never the same place, which would be no move.
      let target = (source + 1 + generator.number(0..<room - 1)) % room
      return (
        ItemPath(section: section, item: source), ItemPath(section: section, item: target)
      )
    }
    let (time, _) = try Stopwatch.time {
      for (source, target) in moves { try view.results.move(from: source, to: target) }
      if bench.storage == .file { try store.checkpoint() }
    }
    // Where a gap is used up, rows around the place get new numbers, and are told, too.
    let delivered = view.takeDelivered().count
    try verify(delivered >= count, "\(delivered) of \(count) moves were delivered")
    return time / count
  }
}
