internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes sections for people without their rows: a table of a line for each.
final class CountSectionWriter: SectionWriting {
  private let aggregates: [String]
  private let output: Output
  private var table: TextTable
  private var sectionCount = 0

  init(_ query: SectionedQuery, frame: TextTable.Frame, output: Output) {
    self.output = output
    aggregates = query.aggregates
    table = TextTable(
      frame: frame, headers: ["section", "count"] + query.aggregates, output: output)
  }

  func begin() throws {}

  func begin(_ head: SectionHead) throws {
    sectionCount += 1
    try table.append(
      [TextCell(head.label), TextCell(head.count)]
        + head.aggregates.map {
          ValueText.cell(InvalidText.marked($0), width: RowStyle.defaultCellWidth)
        })
  }

  func write(_ row: [StoredValue], invalidText: [Int]) throws {}

  func endSection(leftOut: Int) throws {}

  func finish(_ totals: SectionTotals) throws {
    try table.finish()
    try output.line()
    try output.line(totals.line(aggregates, sections: sectionCount))
  }
}
