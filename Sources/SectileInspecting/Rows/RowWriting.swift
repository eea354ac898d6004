package import Sectile

/// Writes the rows of one statement.
package protocol RowWriting: AnyObject {
  /// Writes a row.
  func write(_ values: [StoredValue]) throws

  /// Writes a row with blobs that are text which is not UTF-8, as an `InspectionStatement` hands
  /// them out that keeps it; they are shown with replacement characters by a writer that says
  /// nothing else.
  func write(_ values: [StoredValue], invalidText: [Int]) throws

  /// Ends the rows; called once, after the last.
  func finish() throws
}

extension RowWriting {
  /// Writes a row, with replacement characters in the place of what is not UTF-8.
  package func write(_ values: [StoredValue], invalidText: [Int]) throws {
    if invalidText.isEmpty { return try write(values) }
    var values = values
    for column in invalidText {
      if case .blob(let bytes) = values[column] {
        values[column] = .text(String(decoding: bytes, as: UTF8.self))
      }
    }
    try write(values)
  }
}
