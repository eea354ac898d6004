internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Steps two processes through SQLite's WAL-reset bug.
///
/// ```
/// this process                              the other one
/// n commits, and a checkpoint of all
///                                           begins a checkpoint: reads that there are n pages …
/// commits: the log begins anew
///                                           … reads that none is copied, and notes that n are
/// n commits, on pages of their own
/// a checkpoint: skips those that the log
/// says are copied
/// ```
///
/// Without the lock of writers, which only a file with a change log has, the commits that are
/// skipped must be lost: else the steps show nothing. With it none may be.
struct ResetCase: ReliabilityCase {
  let name = "wal-reset"
  let summary = "a commit begins the log anew while another process begins a checkpoint"
  var weight: Double { 0.2 }

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 4...ResetLog.pageCount - 2, using: &random)
    let lost = try lostCount(of: count, hasLog: false, seed: seed)
    if ResetLog.isPossible && lost == 0 {
      throw Finding("without the lock no commit is lost: the steps show nothing")
    }
    if !ResetLog.isPossible && lost > 0 {
      throw Finding("\(lost) commits are lost, by an SQLite that is taken for corrected")
    }
    let lostWithLock = try lostCount(of: count, hasLog: true, seed: seed)
    if lostWithLock > 0 {
      throw Finding("\(lostWithLock) acknowledged commits are lost, \(lost) without the lock")
    }
    tally.cycles += 1
  }

  /// Takes the steps, and returns how many commits are lost.
  private func lostCount(of count: Int, hasLog: Bool, seed: UInt64) throws -> Int {
    let folder = try Folder()
    try ResetLog.make(at: folder.database, hasLog: hasLog)
    let store = try ResetLog.open(folder.database, busyTimeout: .milliseconds(100))
    let other = try ChildProcess(
      workload: "stepped", path: folder.database, seed: seed, listens: true)
    defer { other.kill() }
    try expect("open", from: other)
    for page in 1...count { try ResetLog.add(to: page, in: store) }
    guard try store.checkpoint(.passive).isComplete else {
      throw Finding("the first checkpoint was not complete")
    }
    other.tell("go")
    try expect("stands", from: other)
    let isRefused = try isBusy { try ResetLog.add(to: 1, in: store) }
    other.tell("on")
    let answer = other.nextLine() ?? "ended"
    guard answer.hasPrefix("copied") else { throw Finding("the other process: \(answer)") }
    if isRefused { try ResetLog.add(to: 1, in: store) }
    for page in 1...count + 1 { try ResetLog.add(to: page, in: store) }
    // The log gets longer than it was: opening the file has written pages, too.
    for _ in 0..<8 { try ResetLog.add(to: ResetLog.pageCount, in: store) }
    _ = try store.checkpoint(.passive)
    let lost = try lostCount(in: folder.database, after: count)
    if isRefused != (hasLog && ResetLog.isPossible) {
      throw Finding("a commit was \(isRefused ? "" : "not ")refused beside the checkpoint")
    }
    other.tell("end")
    try store.close()
    return lost
  }

  private func expect(_ line: String, from other: ChildProcess) throws {
    let said = other.nextLine() ?? "ended"
    if said != line { throw Finding("the other process says '\(said)' instead of '\(line)'") }
  }

  private func isBusy(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return false
    } catch let error as StoreError where error.code == .busy {
      return true
    }
  }

  /// How many of the commits a connection does not see that has remembered nothing.
  private func lostCount(in path: String, after count: Int) throws -> Int {
    let fresh = try PlainConnection(path: path)
    // All pages were written twice, the first one three times, and the last one once.
    return try fresh.run(
      "SELECT 1 FROM page WHERE id <= \(count) + 1 AND n <> 2 + (id = 1) - (id = \(count) + 1)")
  }
}
