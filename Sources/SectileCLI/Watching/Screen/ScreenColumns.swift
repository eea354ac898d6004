internal import Sectile
internal import SectilePresenting

/// How the columns of a screen line up: as wide as what was seen of them so far, so that they do not
/// jump while scrolling.
struct ScreenColumns {
  /// How many columns of the terminal a column takes at most where there are others.
  static let widthLimit = 40
  /// Where the first column begins: behind the mark of a change.
  static let indentation = 2
  private static let gap = 2

  private let names: [TextCell]
  private var widths: [Int]
  private var numbers: [Bool?]
  /// The first column that is shown.
  private(set) var first = 0

  init(names: [String] = []) {
    self.names = names.map { TextCell($0).escaped }
    widths = self.names.map { min(TerminalText.width(of: $0.text), Self.widthLimit) }
    numbers = names.map { _ in nil }
  }

  /// Moves on to other columns.
  mutating func shift(by distance: Int) {
    first = max(0, min(first + distance, names.count - 1))
  }

  /// Learns from rows that are about to be shown.
  mutating func measure(_ rows: [[TextCell]]) {
    for row in rows {
      for (column, cell) in row.enumerated() where column < widths.count {
        widths[column] = max(
          widths[column], min(TerminalText.width(of: cell.text), Self.widthLimit))
        numbers[column] = (numbers[column] ?? true) && (cell.isNumber || cell.text == "NULL")
      }
    }
  }

  /// Adds the names to a line.
  func addNames(to line: inout ScreenLine) {
    let cells = zip(names, numbers).map { TextCell($0.text, isNumber: $1 ?? false) }
    add(cells, to: &line, .underline)
  }

  /// Adds a row to a line.
  func add(_ cells: [TextCell], to line: inout ScreenLine, _ style: ScreenStyle) {
    var column = Self.indentation
    for (index, cell) in cells.enumerated().dropFirst(first) where index < widths.count {
      guard column < line.width else { return }
      // The last column may take what is left.
      let isLast = index == widths.count - 1
      let width = isLast && !cell.isNumber ? line.width - column : widths[index]
      let text = TerminalText.truncated(cell.text, to: max(1, width))
      let fill = cell.isNumber ? max(0, widths[index] - TerminalText.width(of: text)) : 0
      line.add(text, at: column + fill, style)
      column += widths[index] + Self.gap
    }
  }
}
