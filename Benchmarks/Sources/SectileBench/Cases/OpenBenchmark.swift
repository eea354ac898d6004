internal import GRDBBaseline
internal import Sectile
internal import Synchronization

/// Opening live results: all rows, and the first batch.
enum OpenBenchmark: Benchmark {
  static let name = "open"
  static let summary = "open live results, against stepping in C and against GRDB records"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let store = try world.store()
    let c = try world.baseline()
    let grdb = try world.grdb()
    let list = try c.readList(order: TrackOrder.indexed, section: "genre")

    let times = try bench.interleave([
      { try open(.indexed, in: store, list).all },
      {
        try read {
          try c.readList(order: TrackOrder.indexed, section: "genre")
        } check: {
          $0.ids.elementsEqual(list.ids)
        }
      },
      {
        try read {
          try c.readListAndRows(order: TrackOrder.indexed, section: "genre")
        } check: {
          $0.ids.elementsEqual(list.ids)
        }
      },
      {
        try read {
          try grdb.fetchSections(order: TrackOrder.indexed)
        } check: {
          $0.count == list.starts.count
        }
      },
      { try open(.indexed, in: store, list).first },
    ])
    bench.reportRatio(
      "indexed / C ids + sections", times[0], to: times[1], goal: Goal("P1", must: 1.40, aim: 1.20))
    bench.reportRatio("indexed / C ids + sections + row bytes", times[0], to: times[2])
    bench.reportRatio(
      "indexed / GRDB records + grouping", times[0], to: times[3],
      goal: Goal("P3", must: 0.20, aim: 0.10))
    bench.reportRatio(
      "first batch / all", times[4], to: times[0], goal: Goal("P4", must: 0.02, aim: 0.01))
    try runWithoutIndex(bench, store, c)
  }

  private static func runWithoutIndex(_ bench: Bench, _ store: Store, _ c: CDatabase) throws {
    let list = try c.readList(order: TrackOrder.unindexed, section: "artist")
    let times = try bench.interleave([
      { try open(.unindexed, in: store, list).all },
      {
        try read {
          try c.readList(order: TrackOrder.unindexed, section: "artist")
        } check: {
          $0.ids.elementsEqual(list.ids)
        }
      },
    ])
    bench.reportRatio(
      "no index / C letting SQLite sort", times[0], to: times[1],
      goal: Goal("P2", must: 1.15, aim: 0.80))
  }

  private static func read<Result>(
    _ work: () throws -> Result, check: (Result) -> Bool
  ) throws -> Double {
    let (time, result) = try Stopwatch.time(work)
    try verify(check(result), "other rows than C's")
    return time
  }

  /// Opens results and returns the times until the first batch and until all rows were delivered.
  private static func open(
    _ request: FetchRequest<Track>, in store: Store, _ list: CList
  ) throws -> (first: Double, all: Double) {
    let results = try store.results(of: request)
    let first = Mutex<Double?>(nil)
    let observation = results.observe { event in
      guard case .didPartiallyLoad = event else { return }
      first.withLock { $0 = $0 ?? Stopwatch.nanoseconds }
    }
    let start = Stopwatch.nanoseconds
    try results.load()
    let end = Stopwatch.nanoseconds
    observation.cancel()
    try results.snapshot.checkContents(against: list)
    guard let first = first.withLock({ $0 }) else {
      throw WrongResult("no first batch was delivered")
    }
    return (first - start, end - start)
  }
}
