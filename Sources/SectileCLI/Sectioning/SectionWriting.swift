internal import Sectile

/// Writes sections, and some of the rows of each.
protocol SectionWriting: AnyObject {
  /// Writes what comes before all sections.
  func begin() throws

  /// Begins a section.
  func begin(_ section: SectionHead) throws

  /// Writes a row of the section; blobs at the positions of `invalidText` are text that is not
  /// UTF-8.
  func write(_ row: [StoredValue], invalidText: [Int]) throws

  /// Ends the section; so many of its rows were not written.
  func endSection(leftOut: Int) throws

  /// Writes what comes after all sections, what is known of all rows among it.
  func finish(_ totals: SectionTotals) throws
}
