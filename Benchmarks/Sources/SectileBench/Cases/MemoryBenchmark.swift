internal import CBaseline
internal import Sectile

/// What a live view keeps in memory.
enum MemoryBenchmark: Benchmark {
  static let name = "memory"
  static let summary = "memory of a loaded view, per row"
  static let goals = ["P15"]

  static func run(_ bench: Bench) throws {
    let store = try bench.store()
    var loaded: [Double] = []
    var used: [Double] = []
    var changes = TrackChanges(bench.world.tracks)
    for _ in 0..<3 {
      let before = usedMemory
      let view = try View(.indexed, in: store)
      // On a file rows are read once more in the background, and something is kept of each.
      _ = Stopwatch.settle()
      loaded.append(Double(usedMemory - before) / Double(bench.size))
      try verify(view.results.numberOfItems == bench.size, "the view lacks rows")
      let tracks = changes.titles(5_000)
      for track in tracks { try store.write { try $0.update(track) } }
      try view.verifyDelivered(tracks)
      used.append(Double(usedMemory - before) / Double(bench.size))
    }
    bench.report("a loaded view, per row", loaded, .bytes, goal: "P15")
    bench.report("the same after 5,000 moves", used, .bytes)
  }

  /// What is allocated, without SQLite's own, whose caches fill meanwhile.
  static var usedMemory: Int64 { baseline_process_memory() - baseline_sqlite_memory() }
}
