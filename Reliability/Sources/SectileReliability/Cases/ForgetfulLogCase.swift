/// Changes the change log behind the ledger's back: a control, which must be seen.
struct ForgetfulLogCase: ReliabilityCase {
  let name = "control-log"
  let summary = "rows of a change log that name other keys, commits of other authors"
  let isControl = true

  func run(seed: UInt64, tally: inout Tally) throws {
    let life = try LogLife(seed: seed)
    try life.work()
    if seed % 2 == 0 { try life.forgetRows() } else { try life.forgetAuthors() }
    tally.cycles += 1
    try life.check(&tally)
    try life.end()
  }
}
