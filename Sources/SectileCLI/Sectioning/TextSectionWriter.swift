internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes sections for people: a line for each, and its rows in aligned columns, plain or in a box.
final class TextSectionWriter: SectionWriting {
  private let query: SectionedQuery
  private let frame: TextTable.Frame
  private let output: Output
  private var rows: TextTable?
  private var sectionCount = 0
  private var rowCount = 0

  init(_ query: SectionedQuery, frame: TextTable.Frame, output: Output) {
    self.query = query
    self.frame = frame
    self.output = output
  }

  func begin() throws {}

  func begin(_ head: SectionHead) throws {
    if sectionCount > 0 { try output.line() }
    sectionCount += 1
    rowCount += head.count
    var line = TextStyle.bold.text(head.label) + " (\(head.count))"
    for (name, value) in zip(query.aggregates, head.aggregates) {
      let cell = ValueText.cell(InvalidText.marked(value), width: RowStyle.defaultCellWidth).escaped
      line += "  \(TextStyle.dim.text(TerminalText.escaped(name))) \(cell.text)"
    }
    try output.line(line)
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

  func finish() throws {
    if sectionCount > 0 { try output.line() }
    try output.line(CountText.rows(rowCount, sections: sectionCount))
  }
}
