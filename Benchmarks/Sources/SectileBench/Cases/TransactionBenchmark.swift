internal import Sectile

/// Transactions of 10,000 rows, with and without a live view.
///
/// One SQL statement writes them, so that the store has as little else to do as it may. On a file
/// every transaction fills the log, and ends with one checkpoint.
enum TransactionBenchmark: Benchmark {
  static let name = "transaction"
  static let summary = "update 10,000 rows in one transaction with 1 live view and without"
  static let goals = ["P13"]
  static let hasFileGoal = true

  static func run(_ bench: Bench) throws {
    // Of 10,000 rows, 10,000 are all of them: that is no longer a change but another list.
    guard bench.size >= 100_000 else { return }
    let plain = try Contestant(bench, [])
    let one = try Contestant(bench, [.indexed])
    // The title's first letters go to its end: every row moves.
    let title = "title = substr(title, 8) || substr(title, 1, 7)"
    let moved = try bench.interleave([
      { try update(plain, title) }, { try update(one, title) },
    ])
    bench.reportRatio("10k rows move, 1 view / none", moved[1], to: moved[0], goal: "P13")
    let rating = "rating = rating + 1"
    let stayed = try bench.interleave([
      { try update(plain, rating) }, { try update(one, rating) },
    ])
    bench.reportRatio("10k rows stay, 1 view / none", stayed[1], to: stayed[0])
    try one.verifyViews()
  }

  private static func update(_ contestant: Contestant, _ assignment: String) throws -> Sample {
    let (time, count) = try Stopwatch.time {
      try contestant.store.write {
        try $0.execute("UPDATE track SET \(assignment) WHERE id IN (SELECT id FROM picked)")
        return try $0.changesCount
      }
    }
    try verify(count == 10_000, "\(count) rows were updated")
    for view in contestant.views {
      let delivered = view.takeDelivered().count
      try verify(delivered == count, "\(delivered) of \(count) changes were delivered")
    }
    return time
  }
}
