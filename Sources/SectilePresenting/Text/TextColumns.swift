/// How wide the columns of a table of text are on a terminal.
///
/// ```swift
/// let columns = TextColumns(rows: [[TextCell("日本"), TextCell(1)], [TextCell("a"), TextCell(100)]])
/// columns.line([TextCell("a"), TextCell(7)])  // "a       7"
/// ```
package struct TextColumns: Sendable {
  /// The columns' widths.
  package let widths: [Int]
  /// The columns' names; that of a column of numbers lines up with them.
  package let heads: [TextCell]

  /// Measures rows.
  ///
  /// - Parameters:
  ///   - heads: The columns' names; empty for a table without a head.
  ///   - rows: The rows, escaped.
  package init(heads: [String] = [], rows: [[TextCell]]) {
    let heads = heads.map { TerminalText.escaped($0) }
    var widths = heads.map { TerminalText.width(of: $0) }
    for row in rows {
      for (column, cell) in row.enumerated() {
        let width = TerminalText.width(of: cell.text)
        if column < widths.count {
          widths[column] = max(widths[column], width)
        } else {
          widths.append(width)
        }
      }
    }
    self.widths = widths
    // The head of a column of numbers lines up with them.
    self.heads = heads.enumerated().map { column, head in
      let isNumber =
        !rows.isEmpty && rows.allSatisfy { $0.count > column && $0[column].isNumber }
      return TextCell(head, isNumber: isNumber)
    }
  }

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
      let width = column < widths.count ? widths[column] : 0
      line +=
        isLast && !cell.isNumber
        ? cell.text : TerminalText.padded(cell.text, to: width, right: cell.isNumber)
    }
    return line
  }
}
