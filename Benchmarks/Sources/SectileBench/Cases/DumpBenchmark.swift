internal import Foundation

/// Writing a database as SQL, next to SQLite's own shell.
enum DumpBenchmark: Benchmark {
  static let name = "dump"
  static let summary = "sectile's .dump, against that of sqlite3"
  static let goals = ["S2"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  static func run(_ bench: Bench) throws {
    guard let paths = ProgramPaths.find(for: name) else { return }
    let file = try bench.world.template()
    let ours = Program([paths.sectile, "sqlite", file, ".dump"], output: bench.folder.newPath())
    let theirs = Program([paths.sqlite3, file, ".dump"], output: bench.folder.newPath())
    let summary = TrackSummary(shell: paths.sqlite3, folder: bench.folder)
    let expected = try summary.text(of: file)
    for program in [ours, theirs] {
      try program.run()
      let copy = bench.folder.newPath()
      try Program(
        [paths.sqlite3, copy, ".read '\(program.output)'"], output: bench.folder.newPath()
      ).run()
      let found = try summary.text(of: copy)
      try verify(found == expected, "the dump of \(program.arguments[0]) holds \(found)")
      try FileManager.default.removeItem(atPath: copy)
    }
    let times = try bench.interleave([{ try ours.run() }, { try theirs.run() }])
    bench.reportRatio("sectile .dump / sqlite3 .dump", times[0], to: times[1], goal: "S2")
    bench.reportTime("sectile .dump", times[0])
  }
}
