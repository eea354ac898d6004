internal import Sectile

/// Which SQLite this is, and whether processes that write beside each other need a lock because of
/// it.
enum LibraryCheck {
  /// - Parameter release: The library.
  /// - Returns: The report, which never tells of a problem of the file.
  static func report(of release: SQLiteRelease = .linked) -> CheckReport {
    CheckReport(
      name: "library", state: .ok,
      summary: release.hasWALResetBug
        ? "SQLite \(release) has the WAL-reset bug: where several processes write, commits can be lost"
        : "SQLite \(release), without the WAL-reset bug",
      details: release.hasWALResetBug
        ? [
          "In a file with a change log, Sectile's processes take turns by a lock beside it; others do"
            + " not know it.",
          "3.51.3 mends it, as do 3.44.6 and 3.50.7: https://sqlite.org/wal.html#walresetbug",
        ] : [],
      figures: [("hasWALResetBug", release.hasWALResetBug ? 1 : 0)])
  }
}
