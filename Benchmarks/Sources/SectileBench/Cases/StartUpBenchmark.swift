internal import Foundation
internal import Sectile

/// The command line tool from its start to its end, next to SQLite's own shell.
enum StartUpBenchmark: Benchmark {
  static let name = "start-up"
  static let summary = "sectile sqlite FILE 'SELECT 1', against sqlite3"
  static let goals = ["Q9"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  private static let runs = 30

  static func run(_ bench: Bench) throws {
    guard let paths = ProgramPaths.find(for: name) else { return }
    let file = bench.folder.newPath()
    let store = try Store.open(at: file)
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    try store.close()
    let output = bench.folder.newPath()
    let ours = Program(
      [paths.sectile, "sqlite", "--mode", "list", file, "SELECT 1"], output: output)
    let theirs = Program([paths.sqlite3, file, "SELECT 1"], output: output)
    var samples: [[Sample]] = [[], []]
    // Each program once before, for the caches of the system.
    for round in 0...runs {
      for side in round % 2 == 0 ? [0, 1] : [1, 0] {
        let sample = try (side == 0 ? ours : theirs).run(expecting: "1\n")
        if round > 0 { samples[side].append(sample) }
      }
    }
    bench.reportRatio(
      "sectile sqlite 'SELECT 1' / sqlite3", samples[0], to: samples[1], goal: "Q9")
    bench.reportTime("sectile sqlite, start to end", samples[0])
    bench.reportTime("sqlite3, start to end", samples[1])
    bench.report("sectile sqlite, peak of resident memory", [try ours.peakMemory()], .bytes)
    bench.report("sqlite3, peak of resident memory", [try theirs.peakMemory()], .bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: paths.sectile)
    let size = attributes[.size] as? Int ?? 0
    bench.report("sectile, size of the program", [Double(size)], .bytes)
  }
}
