/// Cells in columns.
enum TextLine {
  static func text(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += cell + String(repeating: " ", count: max(width - cell.count, 1))
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
