internal import Foundation
internal import Sectile
internal import SectileTestSupport
internal import Synchronization

/// Clients join live results all the time while the store writes: SQLite's log stays small, since
/// what holds a state of the file ends, and none begins while the log is large.
///
/// In the control somebody reads in one transaction all the time, and the log grows.
struct JoiningCase: ReliabilityCase {
  let isControl: Bool

  var name: String { isControl ? "control-joining" : "joining" }
  var summary: String {
    isControl
      ? "the same beside a transaction that reads all the time"
      : "clients join while the store writes; SQLite's log stays small"
  }
  var weight: Double { isControl ? 0.4 : 0.7 }

  private static let rowCount = 1_000
  private static let commitCount = 1_200
  /// How many rows a commit writes; each is on a page of its own.
  private static let width = 16
  /// How much a log holds before it is kept from growing.
  private static let logSizeLimit = 6 << 20
  /// How long a view is held, at most, and none after it, in seconds; and as long again for a busy
  /// machine.
  private static let viewTime = 2.5
  /// How long the commits take at least, in seconds: if a machine made all of them within the time
  /// of a view, the log might hold them all.
  private static let leastTime = 3 * viewTime

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    let store = try open(folder.database)
    let results = try store.results(of: FetchRequest<ReloadedRow>().sort(by: \.place))
    try results.load()
    let reader = isControl ? try PlainConnection(path: folder.database) : nil
    try reader?.run("BEGIN; SELECT count(*) FROM reloaded_row")
    let others = Others()
    let joinCount = Atomic(0)
    for _ in 0..<3 {
      others.run {
        let count = try results.contents().sections.reduce(0) { $0 + $1.rows.count }
        if count != Self.rowCount { throw Finding("\(count) rows were joined") }
        joinCount.add(1, ordering: .relaxed)
      }
    }
    defer { others.end() }
    var largest = 0
    let start = ContinuousClock.now
    var random = SeededRandom(seed: seed)
    for number in 1...Self.commitCount {
      let due = start + .seconds(Double(number) * Self.leastTime / Double(Self.commitCount))
      Thread.sleep(forTimeInterval: max(ContinuousClock.now.duration(to: due) / .seconds(1), 0))
      let first = Int.random(in: 0..<Self.rowCount, using: &random)
      try store.write { transaction in
        for offset in 0..<Self.width {
          // Far apart, so that each is on a page of its own.
          let id = (first + offset * Self.rowCount / Self.width) % Self.rowCount
          try transaction.execute(
            "UPDATE reloaded_row SET number = ? WHERE id = ?", Int64(number), Int64(id))
        }
      }
      largest = max(largest, size(of: folder.database + "-wal"))
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    others.end()
    if let problem = others.problem { throw Finding(problem) }
    let written = Double(Self.commitCount * Self.width * 4_120)
    let limit = Self.logSizeLimit + Int(written * Self.viewTime / max(seconds, Self.viewTime))
    if largest > limit {
      throw Finding("SQLite's log grew to \(largest >> 20) MiB")
    }
    tally.cycles += 1
    tally.add(joinCount.load(ordering: .relaxed), "joined")
  }

  private func open(_ path: String) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.synchronous = .off
    // A page for each row.
    return try Store.open(
      at: path, configuration: configuration,
      migrations: .inline([
        "V0001_create_reloaded_row.sql": """
        CREATE TABLE reloaded_row (id INTEGER PRIMARY KEY, part INTEGER NOT NULL,
          place INTEGER NOT NULL, number INTEGER NOT NULL, filling BLOB DEFAULT (zeroblob(3000)));
        INSERT INTO reloaded_row (id, part, place, number) WITH RECURSIVE n (i) AS (
            SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rowCount - 1))
          SELECT i, i % 10, i, 0 FROM n;
        """
      ]))
  }

  private func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
