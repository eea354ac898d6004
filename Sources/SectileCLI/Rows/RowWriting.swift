internal import Sectile

/// Writes the rows of one statement.
protocol RowWriting: AnyObject {
  /// Writes a row.
  func write(_ values: [StoredValue]) throws

  /// Ends the rows; called once, after the last.
  func finish() throws
}
