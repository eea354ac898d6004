internal import Foundation
internal import Sectile

/// Two processes follow a file with a change log, as named readers, and nobody writes: what they do
/// for their leases wakes neither, and is no work.
struct LogIdleCase: ReliabilityCase {
  let name = "log-idle"
  let summary = "two idle processes with named readers: nothing is read again, nothing is told"
  /// How long they are idle.
  let seconds: Int
  var weight: Double { 0.05 }

  private static let processCount = 2

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    try make(folder.database, seed: seed)
    let plain = try PlainConnection(path: folder.database)
    let before = try Self.size(plain)
    let children = try (0..<Self.processCount).map {
      try ChildProcess(
        workload: "idle-\($0)", path: folder.database, seed: seed, listens: true, seconds: seconds)
    }
    for child in children {
      let line = child.nextLine()
      if line != "open" { throw Finding("a reader failed: \(line ?? "it ended")") }
    }
    for child in children { child.tell("go") }
    let reports = try children.map { child in
      let line = child.nextLine() ?? ""
      guard let report = try? JSONDecoder().decode(IdleReader.Report.self, from: Data(line.utf8))
      else { throw Finding("a reader failed: \(line)") }
      return report
    }
    let after = try Self.size(plain)
    for child in children { child.tell("end") }
    for child in children {
      let lines = child.lines()
      if child.status != 0 { throw Finding("a reader failed at its end: \(lines)") }
    }
    try check(reports, before, after, &tally)
    tally.cycles += 1
  }

  private func check(
    _ reports: [IdleReader.Report], _ before: [Int], _ after: [Int], _ tally: inout Tally
  ) throws {
    for report in reports where report.resyncs > 0 || report.changesets > 0 {
      throw Finding("an idle process: \(report)")
    }
    // A renewal a minute for each, of two rows of the log; a page that is full becomes three.
    let (pages, rows) = (after[0] - before[0], after[1] - before[1])
    let renewals = Self.processCount * (seconds / 60 + 2)
    if pages > 2 || rows > 2 * renewals {
      throw Finding("the file has grown by \(pages) pages, and the log by \(rows) rows")
    }
    let milliseconds = reports.reduce(0) { $0 + $1.processorMilliseconds }
    // A twentieth of a processor each.
    if milliseconds > Self.processCount * seconds * 50 {
      throw Finding("the idle processes took \(milliseconds) ms of processor time in \(seconds) s")
    }
    tally.add(seconds, "idle seconds")
    tally.add(milliseconds, "ms of processor time of both")
    tally.add(rows, "rows of the log")
    tally.add(pages, "pages")
    tally.add(reports.reduce(0) { $0 + $1.logged }, "followed by row")
  }

  private func make(_ path: String, seed: UInt64) throws {
    let store = try Store.open(at: path, migrations: Model.migrations)
    try store.changeLog.enable()
    var model = Model(seed: seed)
    for _ in 0..<20 {
      try model.write(to: store)
      model.advance()
    }
    try store.close()
  }

  /// The pages of the file, and the rows of its log.
  private static func size(_ connection: PlainConnection) throws -> [Int] {
    try connection.texts("SELECT (SELECT * FROM pragma_page_count), count(*) FROM sectile_log")[0]
      .compactMap { Int($0) }
  }
}
