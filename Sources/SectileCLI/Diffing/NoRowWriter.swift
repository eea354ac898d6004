/// Writes no differences.
final class NoRowWriter: DiffWriting {
  var passCount: Int { 0 }

  func begin() throws {}

  func write(_ difference: RowDifference) throws {}

  func finish(_ summary: DiffSummary) throws {}
}
