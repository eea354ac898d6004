internal import Sectile
internal import SectilePresenting

/// One row with all that is in its columns, as a page that is scrolled; it follows the row's
/// changes, and keeps what it was when it is gone.
///
/// ```
///   id    7
/// ~ note  a long text, which goes
///         on in the next line
/// ```
struct ScreenRow {
  /// A line of the page.
  struct Line: Hashable, Sendable {
    /// The column, by its position.
    let column: Int
    /// Whether the column begins here.
    let isFirst: Bool
    let text: String
  }

  /// How many bytes of a value the page has: of more, its end says how many are left out.
  static let byteLimit = 200_000

  /// What tells the row apart.
  let id: UntypedRow.ID
  /// How many rows come before it, or did when it was there.
  private(set) var rank: Int
  /// Whether the contents do not have the row any more.
  private(set) var isGone = false
  /// The values; nil where they could not be read yet.
  private(set) var values: [StoredValue]?
  /// The line that the page begins with.
  var top = 0

  private let labels: [String]
  private let labelWidth: Int
  /// When columns have changed, for as long as that is shown.
  private var changes: [Int: Double] = [:]
  private var page: (width: Int, lines: [Line])?

  /// Creates the page of a row.
  ///
  /// - Parameters:
  ///   - id: What tells the row apart.
  ///   - rank: How many rows come before it.
  ///   - columns: The columns' names.
  init(_ id: UntypedRow.ID, rank: Int, columns: [String]) {
    self.id = id
    self.rank = rank
    labels = columns.map(TerminalText.escaped)
    labelWidth = labels.map { TerminalText.width(of: $0) }.max() ?? 0
  }

  /// Reads the row again.
  ///
  /// - Returns: Whether it could be read, or is known to be gone.
  mutating func update(from contents: any ScreenContents, at time: Double) -> Bool {
    guard let path = contents.path(of: id) else {
      isGone = true
      return true
    }
    isGone = false
    rank = contents.rank(of: path)
    guard let next = contents.values(at: path) else { return false }
    guard next != values else { return true }
    if let values {
      for column in next.indices where values[column] != next[column] { changes[column] = time }
    }
    values = next
    page = nil
    return true
  }

  // MARK: - Changes that stand out

  /// Whether a column still stands out.
  var hasHighlights: Bool { !changes.isEmpty }

  mutating func expireHighlights(at time: Double) {
    if changes.isEmpty { return }
    changes = changes.filter { time - $0.value < ScreenHighlights.fadedTime }
  }

  // MARK: - Drawing

  /// Draws as much of the page as there are lines for.
  mutating func draw(width: Int, lines count: Int) -> [ScreenLine] {
    let labelRoom = min(labelWidth, max(1, width / 3))
    let indentation = ScreenColumns.indentation + labelRoom + 2
    let lines = pageLines(width: max(1, width - indentation))
    top = max(0, min(top, lines.count - count))
    return lines.dropFirst(top).prefix(count).map { piece in
      var line = ScreenLine(width: width)
      let isChanged = changes[piece.column] != nil
      if piece.isFirst {
        if isChanged { line.add("~", at: 0, .yellow) }
        let label = TerminalText.truncated(labels[piece.column], to: labelRoom)
        line.add(label, at: ScreenColumns.indentation, .bold)
      }
      let isNull = values?[piece.column] == StoredValue.null
      line.add(piece.text, at: indentation, isNull || isGone ? .dim : isChanged ? .yellow : [])
      return line
    }
  }

  private mutating func pageLines(width: Int) -> [Line] {
    if let page, page.width == width { return page.lines }
    let lines = (values ?? []).enumerated().flatMap { column, value in
      Self.lines(of: Self.text(of: value), width: width).enumerated().map { number, text in
        Line(column: column, isFirst: number == 0, text: text)
      }
    }
    page = (width, lines)
    return lines
  }

  /// A value as the page shows it.
  static func text(of value: StoredValue) -> String {
    switch value {
    case .text(let text) where text.utf8.count > byteLimit:
      let beginning = String(text.unicodeScalars.prefix(byteLimit))
      let rest = text.utf8.count - beginning.utf8.count
      return rest == 0 ? text : "\(beginning)\n… \(CountText.text(rest, "byte")) more"
    case .blob(let bytes) where bytes.count > byteLimit / 2:
      let beginning = ValueText.plain(.blob(Array(bytes.prefix(byteLimit / 2))))
      return "\(beginning)\n… \(CountText.text(bytes.count - byteLimit / 2, "byte")) more"
    default: return ValueText.plain(value)
    }
  }

  /// Breaks a text into lines: at its own line ends, and where a line is full.
  static func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for part in parts {
      var line = ""
      var used = 0
      for character in TerminalText.escaped(String(part)) {
        let next = TerminalText.width(of: String(character))
        if used + next > width, !line.isEmpty {
          lines.append(line)
          line = ""
          used = 0
        }
        line.append(character)
        used += next
      }
      lines.append(line)
    }
    return lines
  }
}
