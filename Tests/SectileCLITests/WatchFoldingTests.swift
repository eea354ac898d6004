import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// `watch --ndjson` against writers in processes of their own, folded by a client.
///
/// `SECTILE_WATCH_SECONDS=60 swift test --filter WatchFoldingTests` runs it for a minute, and
/// prints what happened.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchFoldingTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["SECTILE_WATCH_SECONDS"].flatMap(Double.init)

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
  }

  private func write(_ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(sql) { _ in }
  }

  @Test(arguments: [("WAL", 0.003), ("DELETE", 0.02)])
  func foldedChangesAreWhatTheFileHolds(journalMode: String, pause: Double) throws {
    try write(
      """
      PRAGMA journal_mode = \(journalMode);
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind, name TEXT, size INT, written REAL);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
      INSERT INTO item SELECT i * 3, 'kind ' || (i % 7), 'n' || i, i % 50, 0 FROM n;
      """)
    let request = ["--table", "item", "--section-by", "kind", "--sort", "size DESC"]
    let run = try RunningCommand(
      ["watch", path, "--ndjson", "--interval", "0.02"] + request)
    let end = Date() + (Self.seconds ?? 1.5)
    let seed = UInt64.random(in: 0..<1_000_000)
    let writers = (0..<3).map { number in
      ScriptedWriter(
        path: path, seed: seed + UInt64(number), until: end, pause: pause, vacuums: number == 0)
    }
    let commits = writers.reduce(0) { $0 + $1.finish() }
    #expect(writers.allSatisfy { $0.failure == nil })
    try write("INSERT INTO item VALUES (999999, 'the end', 'x', 0, 0)")
    #expect(run.wait(for: "\"id\":[999999]"), "seed \(seed)")
    run.signal(SIGINT)
    #expect(run.exitCode() == 0)
    #expect(run.errors.isEmpty)

    var folded = FoldedContents()
    var latencies: [Double] = []
    folded.onItem = { item, time in
      if let written = item["written"] as? Double, written > 0 { latencies.append(time - written) }
    }
    for line in run.lines { try folded.apply(line) }
    let fresh = try CommandRun(["sections", path, "--mode", "json"] + request).output
    #expect(try folded.isEqual(toSections: fresh), "seed \(seed)")
    #expect((folded.events["partial"] ?? 0) > 2)
    #expect(journalMode == "DELETE" || folded.events["failed"] == nil)
    if Self.seconds != nil {
      latencies.sort()
      let middle = latencies.isEmpty ? 0 : latencies[latencies.count / 2]
      let late = latencies.isEmpty ? 0 : latencies[latencies.count * 99 / 100]
      print(
        "\(journalMode): \(commits) commits, \(folded.events), \(folded.changedRowCount) rows,",
        "\(folded.version) versions, latency \(middle) s (half), \(late) s (99 of 100)")
    }
  }

  @Test func manyRowsComeInLinesOfAThousand() throws {
    try write(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind, size INT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 12345)
      INSERT INTO item SELECT i, i % 13, i % 77 FROM n;
      """)
    let request = ["--table", "item", "--section-by", "kind", "--sort", "size"]
    let run = try CommandRun(["watch", path, "--ndjson", "--for", "0"] + request)
    var folded = FoldedContents()
    let lines = run.output.split(separator: "\n")
    for line in lines { try folded.apply(String(line)) }
    #expect(folded.events["partial"] == 14)
    #expect(lines.filter { $0.contains("\"more\":true") }.count == 12)
    let fresh = try CommandRun(["sections", path, "--mode", "json"] + request).output
    #expect(try folded.isEqual(toSections: fresh))
  }
}
