internal import Sectile

/// Transactions from one row to all of them.
enum TransactionGrowth: Benchmark {
  static let name = "growth-transaction"
  static let summary = "update 1, 10, … all rows in one transaction, with 1 view and without"
  static let storages = [Storage.memory]
  static let runsOnce = true

  static func run(_ bench: Bench) throws {
    let plain = try bench.store()
    let observed = try bench.store()
    let view = try View(.indexed, in: observed)
    var count = 1
    while count <= bench.size {
      let stride = bench.size / count
      for store in [plain, observed] {
        try store.write {
          try $0.execute("DELETE FROM picked")
          try $0.execute("INSERT INTO picked SELECT id FROM track WHERE id % ? = 0", stride)
        }
      }
      let times = try bench.interleave(
        [plain, observed].enumerated().map { position, store in
          {
            let (time, _) = try Stopwatch.time { try store.write { try $0.execute(update) } }
            let delivered = position == 0 ? count : view.takeDelivered().count
            try verify(delivered == count, "\(delivered) of \(count) changes were delivered")
            return time
          }
        })
      bench.reportRatio("\(SizeText.text(count)) rows, 1 view / none", times[1], to: times[0])
      bench.reportStep(
        "\(SizeText.text(count)) rows, added per row",
        zip(times[1], times[0]).map { ($0 - $1) / count }, of: "transaction", at: count)
      count *= 10
    }
    try view.verifyContents(in: observed)
    bench.reportGrowth("added per row, over rows", of: "transaction")
  }

  /// The title's first letters go to its end: every row moves.
  private static let update = """
    UPDATE track SET title = substr(title, 8) || substr(title, 1, 7)
    WHERE id IN (SELECT id FROM picked)
    """
}
