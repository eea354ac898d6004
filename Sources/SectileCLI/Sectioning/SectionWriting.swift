internal import Sectile

/// Writes sections, and some of the rows of each.
protocol SectionWriting: AnyObject {
  /// Writes what comes before all sections.
  func begin() throws

  /// Begins a section.
  func begin(_ section: SectionHead) throws

  /// Writes a row of the section.
  func write(_ row: [StoredValue]) throws

  /// Ends the section; so many of its rows were not written.
  func endSection(leftOut: Int) throws

  /// Writes what comes after all sections.
  func finish() throws
}
