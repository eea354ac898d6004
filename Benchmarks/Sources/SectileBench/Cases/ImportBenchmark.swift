internal import Foundation

/// Importing separated values of six columns, next to SQLite's own shell.
enum ImportBenchmark: Benchmark {
  static let name = "import"
  static let summary = "sectile import of CSV, against sqlite3 .import"
  static let goals = ["Q10", "Q10-new"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  private static let table = """
    CREATE TABLE track (id INTEGER PRIMARY KEY, title TEXT, artist TEXT, rating INTEGER,
      duration REAL, added_at INTEGER)
    """

  static func run(_ bench: Bench) throws {
    guard let paths = ProgramPaths.find(for: name) else { return }
    let input = bench.folder.newPath() + ".csv"
    let columns = "id, title, artist, rating, duration, added_at"
    try Program(
      [
        paths.sqlite3, "-csv", "-header", try bench.world.template(),
        "SELECT \(columns) FROM track ORDER BY id",
      ], output: input
    ).run()
    let summary = TrackSummary(shell: paths.sqlite3, folder: bench.folder)
    let expected = try summary.text(of: bench.world.template())

    /// Runs a program on a file of its own, and checks what came in.
    func measure(
      prepared: Bool, checks: Bool = true, _ arguments: (_ file: String) -> [String]
    ) throws -> Sample {
      let file = bench.folder.newPath()
      let output = bench.folder.newPath()
      if prepared { try Program([paths.sqlite3, file, table], output: output).run() }
      let sample = try Program(arguments(file), output: output).run()
      let found = try summary.text(of: file)
      try verify(!checks || found == expected, "\(arguments(file)[0]) imported \(found)")
      try FileManager.default.removeItem(atPath: file)
      return sample
    }
    func ours(_ file: String) -> [String] {
      [paths.sectile, "import", file, "--table", "track", input]
    }
    let existing = try bench.interleave([
      { try measure(prepared: true, ours) },
      {
        try measure(prepared: true) {
          [paths.sqlite3, $0, ".import --csv --skip 1 '\(input)' track"]
        }
      },
    ])
    bench.reportRatio(
      "into a table / sqlite3 .import", existing[0], to: existing[1], goal: "Q10")
    bench.reportTime("sectile import, into a table", existing[0])
    let new = try bench.interleave([
      { try measure(prepared: false, ours) },
      {
        // SQLite's shell learns no types: whatever there is becomes text.
        try measure(prepared: false, checks: false) {
          [paths.sqlite3, $0, ".import --csv '\(input)' track"]
        }
      },
    ])
    bench.reportRatio(
      "into a new table, types learned / all as text", new[0], to: new[1], goal: "Q10-new")
  }
}
