internal import Sectile

/// Large transactions, with and without a live view.
enum TransactionBenchmark: Benchmark {
  static let name = "transaction"
  static let summary = "update 10,000 rows in one transaction with 1 live view and without"

  static func run(_ bench: Bench) throws {
    let world = bench.makeWorld()
    let touched = min(10_000, world.size)
    let plain = try Contestant(world, viewCount: 0)
    let observed = try Contestant(world, viewCount: 1)
    let stride = world.size / touched
    func update(_ contestant: Contestant) throws -> Double {
      let (time, _) = try Stopwatch.time {
        try contestant.store.write {
          try $0.execute("UPDATE track SET rating = rating + 1 WHERE id % ? = 0", stride)
        }
      }
      for view in contestant.views {
        let delivered = view.takeDeliveredRows()
        try verify(delivered == touched, "\(delivered) of \(touched) changes were delivered")
      }
      return time
    }
    let times = try bench.interleave([{ try update(observed) }, { try update(plain) }])
    try observed.verifyViews()
    bench.reportRatio(
      "\(touched) rows, 1 view / no view", times[0], to: times[1],
      goal: bench.storage == .file
        ? Goal("P13", must: 2.1, aim: 1.3) : Goal("P13", must: 2.4, aim: 1.5))
  }
}
