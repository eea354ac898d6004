internal import Sectile
internal import SectilePresenting

/// How the columns of a screen line up: as wide as what was seen of them so far, so that they do
/// not jump while scrolling.
///
/// Scrolled sideways, the columns of the key stay in sight at the left:
///
/// ```
/// id  name      size  owner        size  owner         owner
///  1  fret saw    12  ann       1    12  ann        1  ann
/// ```
struct ScreenColumns {
  /// How many columns of the terminal a column takes at most where there are others.
  static let widthLimit = 40
  /// Where the first column begins: behind the mark of a change.
  static let indentation = 2
  private static let gap = 2

  private let names: [TextCell]
  /// The columns of the key, then the others: their positions.
  private let keyColumns: [Int]
  private let otherColumns: [Int]
  private var widths: [Int]
  private var numbers: [Bool?]
  /// How many of the other columns are scrolled away.
  private var scrolled = 0

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - names: The columns' names.
  ///   - key: The names of those that stay in sight.
  init(names: [String] = [], key: [String] = []) {
    keyColumns = names.indices.filter { key.contains(names[$0]) }
    otherColumns = names.indices.filter { !key.contains(names[$0]) }
    self.names = names.map { TextCell($0).escaped }
    widths = self.names.map { min(TerminalText.width(of: $0.text), Self.widthLimit) }
    numbers = names.map { _ in nil }
  }

  /// Moves on to other columns.
  mutating func shift(by distance: Int) {
    scrolled = max(0, min(scrolled + distance, otherColumns.count - 1))
  }

  /// The positions of the columns that are shown, from the left.
  ///
  /// A key that takes more than half of the line leaves no room for what was scrolled to: only as
  /// much of it stays as does.
  private func visible(in width: Int) -> [Int] {
    guard scrolled > 0 else { return Array(names.indices) }
    var room = width / 2
    let fixed = keyColumns.prefix { column in
      room -= widths[column] + Self.gap
      return room >= 0
    }
    return Array(fixed) + otherColumns.dropFirst(scrolled)
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

  /// Adds a row to a line; the columns in `marked` are underlined.
  func add(
    _ cells: [TextCell], to line: inout ScreenLine, _ style: ScreenStyle, marked: Set<Int> = []
  ) {
    var column = Self.indentation
    let visible = visible(in: line.width)
    for index in visible where index < min(cells.count, widths.count) {
      guard column < line.width else { return }
      let cell = cells[index]
      // The last column may take what is left.
      let isLast = index == visible.last
      let width = isLast && !cell.isNumber ? line.width - column : widths[index]
      let text = TerminalText.truncated(cell.text, to: max(1, width))
      let fill = cell.isNumber ? max(0, widths[index] - TerminalText.width(of: text)) : 0
      let cellStyle = marked.contains(index) ? style.union(.underline) : style
      line.add(text, at: column + fill, cellStyle)
      column += widths[index] + Self.gap
    }
  }
}
