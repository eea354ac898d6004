internal import Sectile

/// Writes the differences of two tables.
protocol DiffWriting: AnyObject {
  /// Writes what comes before them.
  func begin() throws

  /// How often all differences are heard, from the first to the last.
  var passCount: Int { get }

  /// Hears that the differences follow, for the first time or once more.
  func beginPass(_ pass: Int) throws

  /// Writes a difference.
  func write(_ difference: RowDifference) throws

  /// Writes what comes after them.
  func finish(_ summary: DiffSummary) throws
}

extension DiffWriting {
  var passCount: Int { 1 }

  func beginPass(_ pass: Int) throws {}
}
