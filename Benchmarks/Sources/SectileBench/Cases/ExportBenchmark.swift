internal import Foundation

/// Exporting a table as separated values, next to SQLite's own shell.
enum ExportBenchmark: Benchmark {
  static let name = "export"
  static let summary = "sectile export as CSV, against sqlite3 -csv"
  static let goals = ["S1"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  static func run(_ bench: Bench) throws {
    guard let paths = ProgramPaths.find(for: name) else { return }
    let file = try bench.world.template()
    let ours = Program(
      [paths.sectile, "export", file, "--table", "track"], output: bench.folder.newPath())
    let theirs = Program(
      [paths.sqlite3, "-csv", "-header", file, "SELECT * FROM track ORDER BY id"],
      output: bench.folder.newPath())
    try ours.run()
    try theirs.run()
    let (left, right) = (try plainBytes(of: ours), try plainBytes(of: theirs))
    try verify(left == right, "\(left.count) bytes were exported, \(right.count) by sqlite3")
    let times = try bench.interleave([{ try ours.run() }, { try theirs.run() }])
    bench.reportRatio("sectile export / sqlite3 -csv", times[0], to: times[1], goal: "S1")
    bench.reportTime("sectile export", times[0])
  }

  /// Returns what a program wrote without quotes and carriage returns: SQLite's shell puts text
  /// with a space into quotes, of which nothing in these rows needs any, and ends lines as its
  /// version does.
  private static func plainBytes(of program: Program) throws -> [UInt8] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: program.output))
    return bytes.filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D }
  }
}
