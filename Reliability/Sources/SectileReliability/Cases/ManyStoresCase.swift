internal import Foundation

/// One process has many files open, each with live results and a change log: they share a timer, a
/// watch and a few threads, cost nothing while nobody writes, and still hear of each commit.
struct ManyStoresCase: ReliabilityCase {
  let name = "many-stores"
  let summary = "many idle stores in a process: few threads, no work, and commits are heard of"
  let count: Int
  /// How long they are idle.
  let seconds: Int
  var weight: Double { 0.05 }

  /// What all stores of a process may have together.
  private static let mostThreads = 20

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    let child = try ChildProcess(
      workload: "stores-\(count)", path: folder.path, seed: seed, seconds: seconds)
    let lines = child.lines()
    guard child.status == 0,
      let line = lines.last,
      let report = try? JSONDecoder().decode(IdleStores.Report.self, from: Data(line.utf8))
    else { throw Finding("a process with \(count) stores failed: \(lines)") }
    if report.noticed != report.written {
      throw Finding(
        "\(report.noticed) results heard of commits of others, of \(report.written) that had some")
    }
    if report.threads >= Self.mostThreads {
      throw Finding("\(report.stores) stores have \(report.threads) threads")
    }
    // A twentieth of a processor: a thousand stores take 1 to 2 % of one in an optimized build, and
    // 4 % in a debug build; with a timer each they took 38 %.
    if report.processorMilliseconds > seconds * 50 {
      throw Finding(
        "\(report.stores) idle stores took \(report.processorMilliseconds) ms of processor time"
          + " in \(seconds) s")
    }
    tally.cycles += 1
    tally.add(report.stores, "stores")
    tally.add(report.threads, "threads")
    tally.add(report.processorMilliseconds, "ms of processor time")
    tally.add(seconds, "idle seconds")
  }
}
