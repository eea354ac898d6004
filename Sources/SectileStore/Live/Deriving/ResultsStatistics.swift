/// What a results object has done so far to stay up to date.
public struct ResultsStatistics: Hashable, Sendable, Codable {
  /// Commits that touched a row or a table the request depends on.
  public internal(set) var commitCount = 0
  /// Rows that were read again one by one.
  public internal(set) var rereadRowCount = 0
  /// Commits after which everything was read again, because that was cheaper or the only way.
  public internal(set) var rebuildCount = 0
  /// Commits after which everything was read again, because something may have been missed: another
  /// connection wrote, or the schema changed.
  public internal(set) var resyncCount = 0
  /// How often commits of other connections were followed row by row, as the file's change log
  /// names them.
  public internal(set) var loggedCount = 0

  /// Adds what was done otherwise.
  mutating func add(_ other: ResultsStatistics) {
    commitCount += other.commitCount
    rereadRowCount += other.rereadRowCount
    rebuildCount += other.rebuildCount
    resyncCount += other.resyncCount
    loggedCount += other.loggedCount
  }
}
