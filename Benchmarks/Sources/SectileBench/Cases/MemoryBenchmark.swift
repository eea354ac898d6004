internal import CBaseline
internal import Sectile

/// What a live view keeps in memory.
enum MemoryBenchmark: Benchmark {
  static let name = "memory"
  static let summary = "memory of a loaded view, per row"

  /// The memory of the caller's thread without SQLite's own, whose caches fill meanwhile.
  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let store = try world.store()
    var values: [Double] = []
    for _ in 0..<3 {
      let before = baseline_process_memory() - baseline_sqlite_memory()
      let results = try store.results(of: .indexed)
      try results.load()
      let after = baseline_process_memory() - baseline_sqlite_memory()
      try verify(results.numberOfItems == world.size, "the view lacks rows")
      values.append(Double(after - before) / Double(world.size))
    }
    bench.report("a loaded view, per row", values, .bytes, goal: Goal("P15", must: 24, aim: 16))
  }
}
