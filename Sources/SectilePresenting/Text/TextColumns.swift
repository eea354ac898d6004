/// How wide the columns of a table of text are on a terminal.
///
/// ```swift
/// let columns = TextColumns(rows: [[TextCell("日本"), TextCell(1)], [TextCell("a"), TextCell(100)]])
/// columns.line([TextCell("a"), TextCell(7)])  // "a       7"
/// ```
package struct TextColumns: Sendable {
  /// The columns' widths.
  package private(set) var widths: [Int]
  private let names: [String]
  /// Whether there were but numbers so far, for each name; nil before the first row.
  private var areNumbers: [Bool]?

  /// Measures rows.
  ///
  /// - Parameters:
  ///   - heads: The columns' names; empty for a table without a head.
  ///   - rows: The rows, escaped.
  package init(heads: [String] = [], rows: [[TextCell]] = []) {
    names = heads.map { TerminalText.escaped($0) }
    widths = names.map { TerminalText.width(of: $0) }
    for row in rows { measure(row) }
  }

  /// Measures one more row, which is escaped.
  package mutating func measure(_ row: [TextCell]) {
    for (column, cell) in row.enumerated() {
      let width = TerminalText.width(of: cell.text)
      if column < widths.count {
        widths[column] = max(widths[column], width)
      } else {
        widths.append(width)
      }
    }
    let before = areNumbers
    areNumbers = names.indices.map { column in
      before?[column] != false && column < row.count && row[column].isNumber
    }
  }

  /// The columns' names; that of a column of numbers lines up with them.
  package var heads: [TextCell] {
    names.enumerated().map { TextCell($1, isNumber: areNumbers?[$0] ?? false) }
  }

  /// How wide a line is where no cell is wider than its column.
  package var lineWidth: Int { widths.reduce(2 * max(0, widths.count - 1), +) }

  /// The lines above the rows: the columns' names, underlined, or none.
  package var headLines: [String] {
    if heads.isEmpty { return [] }
    return [line(heads), line(widths.map { TextCell(String(repeating: "-", count: $0)) })]
  }

  /// Returns a row as a line; cells that are wider than their column push the others aside.
  package func line(_ cells: [TextCell]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      if column > 0 { line += "  " }
      let isLast = column == cells.count - 1
      line += isLast && !cell.isNumber ? cell.text : padded(cell, column)
    }
    return line
  }

  /// Returns a cell's text, filled up to its column's width; numbers line up at the right.
  package func padded(_ cell: TextCell, _ column: Int) -> String {
    let width = column < widths.count ? widths[column] : 0
    return TerminalText.padded(cell.text, to: width, right: cell.isNumber)
  }
}
