internal import Sectile

/// Finding a row's path by its key, and items by their paths.
enum LookupBenchmark: Benchmark {
  static let name = "lookup"
  static let summary = "path(of:) for random keys; item(at:) for one path after the other"
  static let goals = ["P14"]
  static let storages = [Storage.memory]

  static func run(_ bench: Bench) throws {
    let store = try bench.store()
    let results = try store.results(of: .indexed)
    try results.load()
    let list = try bench.baseline().readList(order: TrackOrder.indexed, section: "genre")
    var expected = [ItemPath](repeating: ItemPath(section: 0, item: 0), count: bench.size + 1)
    var section = 0
    for (rank, id) in list.ids.enumerated() {
      while section + 1 < list.starts.count, rank >= list.starts[section + 1] { section += 1 }
      expected[Int(id)] = ItemPath(section: section, item: rank - Int(list.starts[section]))
    }

    var generator = TrackGenerator(seed: 3)
    let keys = (0..<100_000).map { _ in Int64(generator.number(1..<bench.size + 1)) }
    let wanted = keys.reduce(0) { $0 &+ expected[Int($1)].mixed }
    let times = try bench.interleave([
      {
        let (time, sum) = Stopwatch.time {
          keys.reduce(0) { $0 &+ (results.path(of: $1)?.mixed ?? 0) }
        }
        try verify(sum == wanted, "path(of:) finds other paths")
        return time / keys.count
      }
    ])
    bench.reportTime("key → (section, item)", times[0], goal: "P14")
    try scroll(bench, results)
  }

  /// Reads the first 100,000 items through the live results.
  private static func scroll(_ bench: Bench, _ results: SectionedResults<Track>) throws {
    let times = try bench.interleave([
      {
        var left = 100_000
        var sum: Int64 = 0
        let start = Stopwatch.now
        for section in 0..<results.numberOfSections {
          for item in 0..<min(results.numberOfItems(in: section), left) {
            sum += try results.item(at: ItemPath(section: section, item: item)).id
            left -= 1
          }
        }
        let time = Stopwatch.now - start
        try verify(left == max(100_000 - bench.size, 0) && sum > 0, "\(left) items are missing")
        return time / (100_000 - left)
      }
    ])
    bench.reportTime("item(at:), one after the other", times[0])
  }
}

extension ItemPath {
  fileprivate var mixed: Int { (section &* 1_000_003 &+ item) &* 31 }
}
