/// One-row commits with ten live views that share neither order nor filter.
enum CommitMixedBenchmark: Benchmark {
  static let name = "commit-mixed"
  static let summary = "commit one updated row with 10 views of different filters and orders"

  static func run(_ bench: Bench) throws {
    let commits = bench.commitCount
    let plain = try Contestant(bench, [])
    let mixed = try Contestant(bench, mixed: MixedRequests.all)
    for (change, name) in [(Contestant.Change.title, ""), (.rating, ", no move")] {
      let times = try bench.interleave([
        { try plain.commit(commits, change) }, { try mixed.commit(commits, change) },
      ])
      bench.reportRatio("10 different views / none\(name)", times[1], to: times[0])
    }
    try mixed.verifyViews()
  }
}
