internal import Foundation

/// Where the programs are that are measured side by side.
struct ProgramPaths {
  let sectile: String
  let sqlite3: String
  /// SQLite's own comparison of files; nil where nobody asked for it.
  let sqldiff: String?

  /// Looks for them: `sectile` beside the benchmark, SQLite's programs on PATH.
  ///
  /// - Parameters:
  ///   - benchmark: The case, for the line that says why it is left out.
  ///   - needsDiff: Whether `sqldiff` is needed.
  /// - Returns: The paths; nil where one is not there, which is told.
  static func find(for benchmark: String, needsDiff: Bool = false) -> ProgramPaths? {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let sectile = folder.appendingPathComponent("sectile").path
    guard FileManager.default.isExecutableFile(atPath: sectile) else {
      print("\(benchmark) is left out: sectile was not built beside the benchmark.")
      return nil
    }
    guard let sqlite3 = path(of: "sqlite3") else {
      print("\(benchmark) is left out: there is no sqlite3 on PATH.")
      return nil
    }
    let sqldiff = needsDiff ? path(of: "sqldiff") : nil
    if needsDiff && sqldiff == nil {
      print("\(benchmark) is left out: there is no sqldiff on PATH (sqlite3-tools on Debian).")
      return nil
    }
    return ProgramPaths(sectile: sectile, sqlite3: sqlite3, sqldiff: sqldiff)
  }

  private static func path(of program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
