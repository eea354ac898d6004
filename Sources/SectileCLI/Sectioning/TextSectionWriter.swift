internal import Sectile
internal import SectileInspecting

/// Writes sections for people: a line for each, and its rows in aligned columns, plain or in a box.
final class TextSectionWriter: SectionWriting {
  private let query: SectionedQuery
  private let frame: TextTable.Frame
  private let output: Output
  private var rows: TextTable?
  private var sectionCount = 0

  init(_ query: SectionedQuery, frame: TextTable.Frame, output: Output) {
    self.query = query
    self.frame = frame
    self.output = output
  }

  func begin() throws {}

  func begin(_ head: SectionHead) throws {
    if sectionCount > 0 { try output.line() }
    sectionCount += 1
    try output.line(
      TextStyle.bold.text(head.label) + " (\(head.count))"
        + SectionTotals.text(of: head.aggregates, query.aggregates))
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {
    let row = InvalidText.marked(row, at: invalidText)
    // A table is made with its first row: a section without rows has no frame either.
    if rows == nil {
      rows = TextTable(frame: frame, headers: query.columns, indentation: "  ", output: output)
    }
    try rows?.append(row.map { ValueText.cell($0, width: RowStyle.defaultCellWidth) })
  }

  func endSection(leftOut: Int) throws {
    try rows?.finish()
    rows = nil
    if leftOut > 0 { try output.line(TextStyle.dim.text("  … \(leftOut) more")) }
  }

  func finish(_ totals: SectionTotals) throws {
    if sectionCount > 0 { try output.line() }
    try output.line(totals.line(query.aggregates, sections: sectionCount))
  }
}
