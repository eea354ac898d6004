internal import Sectile

/// Finding a row's path by its key.
enum LookupBenchmark: Benchmark {
  static let name = "lookup"
  static let summary = "path(of:) for random keys"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let store = try world.store()
    let results = try store.results(of: .indexed)
    try results.load()
    let list = try world.baseline().readList(order: TrackOrder.indexed, section: "genre")
    var expected = [ItemPath](repeating: ItemPath(section: 0, item: 0), count: world.size + 1)
    var section = 0
    for (rank, id) in list.ids.enumerated() {
      while section + 1 < list.starts.count, rank >= list.starts[section + 1] { section += 1 }
      expected[Int(id)] = ItemPath(section: section, item: rank - Int(list.starts[section]))
    }

    var generator = TrackGenerator(seed: 3)
    let keys = (0..<100_000).map { _ in Int64(generator.number(1..<world.size + 1)) }
    let wanted = keys.reduce(0) { $0 &+ expected[Int($1)].mixed }
    let live = try bench.interleave([
      {
        let (time, sum) = Stopwatch.time {
          keys.reduce(0) { $0 &+ (results.path(of: $1)?.mixed ?? 0) }
        }
        try verify(sum == wanted, "path(of:) finds other paths")
        return time / Double(keys.count) / 1e3
      }
    ])
    bench.report(
      "key → (section, item)", live[0], .microseconds, goal: Goal("P14", must: 0.5, aim: 0.25))
    try scroll(bench, world, results)
  }

  /// Reads every item through the live results, from the first to the last.
  private static func scroll(
    _ bench: Bench, _ world: World, _ results: SectionedResults<Track>
  ) throws {
    let times = try bench.interleave([
      {
        var count = 0
        let start = Stopwatch.nanoseconds
        for section in 0..<results.numberOfSections {
          for item in 0..<results.numberOfItems(in: section) {
            count += try results.item(at: ItemPath(section: section, item: item)).title.utf8.count
          }
        }
        let time = Stopwatch.nanoseconds - start
        let expected = world.tracks.reduce(0) { $0 + $1.title.utf8.count }
        try verify(count == expected, "other items")
        return time / Double(world.size) / 1e3
      }
    ])
    bench.report("item(at:), first to last", times[0], .microseconds)
  }
}

extension ItemPath {
  fileprivate var mixed: Int { (section &* 1_000_003 &+ item) &* 31 }
}
