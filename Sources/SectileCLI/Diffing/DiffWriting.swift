internal import Sectile

/// Writes the differences of two tables.
protocol DiffWriting: AnyObject {
  /// Writes what comes before them.
  func begin() throws

  /// Writes a difference.
  func write(_ difference: RowDifference) throws

  /// Writes what comes after them.
  func finish(_ summary: DiffSummary) throws
}
