internal import Foundation

/// Comparing two files of which some rows differ, next to SQLite's own `sqldiff`.
enum DiffBenchmark: Benchmark {
  static let name = "diff"
  static let summary = "sectile diff --sql of whole files, against sqldiff"
  static let goals = ["S3"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  /// Two rows in a hundred get another title, one in a thousand goes, and as many come.
  private static let changes = [
    "UPDATE track SET title = title || '!' WHERE id % 50 = 1",
    "DELETE FROM track WHERE id % 1000 = 7",
    """
    INSERT INTO track SELECT id + 100000000, title, artist, genre, rating, duration, added_at
    FROM track WHERE id % 1000 = 8
    """,
  ]

  static func run(_ bench: Bench) throws {
    guard let paths = ProgramPaths.find(for: name, needsDiff: true), let sqldiff = paths.sqldiff
    else { return }
    let before = try bench.world.template()
    let after = try changedCopy(of: before, bench, shell: paths.sqlite3)
    let ours = Program(
      [paths.sectile, "diff", before, after, "--sql"], output: bench.folder.newPath(),
      successCode: 1)
    let theirs = Program([sqldiff, before, after], output: bench.folder.newPath())
    for program in [ours, theirs] {
      try program.run()
      let copy = try bench.folder.copy(of: before)
      let output = bench.folder.newPath()
      try Program([paths.sqlite3, copy, ".read '\(program.output)'"], output: output).run()
      // What is the same afterwards was told correctly.
      _ = try Program([sqldiff, copy, after], output: output).run(expecting: "")
      try FileManager.default.removeItem(atPath: copy)
    }
    let times = try bench.interleave([{ try ours.run() }, { try theirs.run() }])
    bench.reportRatio("sectile diff --sql / sqldiff", times[0], to: times[1], goal: "S3")
    bench.reportTime("sectile diff --sql", times[0])
  }

  private static func changedCopy(
    of file: String, _ bench: Bench, shell: String
  ) throws -> String {
    let copy = try bench.folder.copy(of: file)
    try Program(
      [shell, copy, "BEGIN; \(changes.joined(separator: "; ")); COMMIT"],
      output: bench.folder.newPath()
    ).run()
    return copy
  }
}
