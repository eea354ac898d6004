/// Kills who writes a file with a change log, who follows it, who switches the log on and off, who
/// prunes it, and who rebuilds its tables.
///
/// Each cycle starts two to four processes, kills some of them, and compares: the log with the
/// ledger that the writers keep in the same transactions, the history with both, live results that
/// lived on with a fetch, and what a follower had kept, with what the log tells since, with a
/// fetch.
struct LogKillsCase: ReliabilityCase {
  let name = "log-kills"
  let summary = "SIGKILL of writers, followers, enable, prune and repair of a change log"

  /// How many cycles one file lives.
  private static let cycleCount = 10

  func run(seed: UInt64, tally: inout Tally) throws {
    let life = try LogLife(seed: seed)
    for _ in 0..<Self.cycleCount { try life.runCycle(&tally) }
    try life.end()
  }
}
