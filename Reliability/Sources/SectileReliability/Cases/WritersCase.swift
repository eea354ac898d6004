internal import Foundation
internal import Sectile

/// Several processes commit as fast as they can, with a checkpoint nearly every commit, to a file
/// with a log.
struct WritersCase: ReliabilityCase {
  let name = "writers"
  let summary = "several processes commit and checkpoint all the time; no commit is lost"

  private static let processCount = 4

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    try ResetLog.make(at: folder.database, hasLog: true)
    let children = try (0..<Self.processCount).map {
      try ChildProcess(
        workload: "counter", path: folder.database, seed: (seed &* 8) &+ UInt64($0))
    }
    for child in children {
      let line = child.lines().last
      if child.status != 0 || line != "done" { throw Finding(line ?? "a child: \(child.status)") }
    }
    let wrong = try PlainConnection(path: folder.database).run(
      "SELECT 1 FROM page WHERE n <> "
        + "CASE WHEN id <= \(Self.processCount * Counters.width) "
        + "THEN \(Counters.commitCount / Counters.width) ELSE 0 END")
    if wrong > 0 { throw Finding("\(wrong) of the counters are wrong") }
    tally.cycles += Self.processCount
  }
}
