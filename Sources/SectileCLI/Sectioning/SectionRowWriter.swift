internal import Sectile
internal import SectileInspecting

/// Writes sections without their rows: each is a row itself, with its count and aggregates.
final class SectionRowWriter: SectionWriting {
  private let writer: any RowWriting

  /// Creates a writer on top of one for rows with the columns ``columns(_:)``.
  init(_ writer: any RowWriting) {
    self.writer = writer
  }

  /// Returns the names of the columns, each another one.
  ///
  /// - Parameter aggregates: The aggregates as they were written.
  /// - Returns: The section, how many rows it has, and the aggregates.
  static func columns(_ aggregates: [String]) -> [String] {
    ExportSectionWriter.columns([], aggregates: ["count"] + aggregates)
  }

  func begin() throws {}

  func begin(_ head: SectionHead) throws {
    let values = [head.identity, .value(.integer(Int64(head.count)))] + head.aggregates
    let row = ExportSectionWriter.row(of: values)
    try writer.write(row.values, invalidText: row.invalidText)
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {}

  func endSection(leftOut: Int) throws {}

  func finish(_ totals: SectionTotals) throws {
    try writer.finish()
  }
}
