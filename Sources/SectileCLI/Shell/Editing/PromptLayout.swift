internal import SectilePresenting

/// How a text that is typed stands on a terminal: each line behind a prompt, long ones wrapped, and
/// nothing in it that the terminal could act upon.
struct PromptLayout {
  /// What begins the first line.
  static let prompt = "sectile> "
  /// What begins those that follow.
  static let continuation = "   ...> "
  /// To how many columns a tab leads.
  private static let tabWidth = 4

  /// A row of the terminal.
  struct Row {
    var text = ""
    /// Whether it takes all columns.
    var isFull = false
    /// Whether the terminal itself goes on in the next row.
    var isWrapped = false
  }

  /// The rows, styled; the last is never full.
  private(set) var rows: [Row] = []
  /// In which row the cursor stands.
  private(set) var cursorRow = 0
  /// In which column it stands.
  private(set) var cursorColumn = 0

  private let width: Int
  private let isStyled: Bool
  private var row = Row()
  private var column = 0
  private var style: TextStyle?

  /// Lays a text out.
  ///
  /// - Parameters:
  ///   - text: What was typed so far.
  ///   - cursor: Before which of its bytes the cursor stands.
  ///   - width: How many columns the terminal has.
  ///   - isStyled: Whether it is shown in colours.
  init(_ text: String, cursor: Int, width: Int, isStyled: Bool) {
    self.width = max(1, width)
    self.isStyled = isStyled
    for character in Self.prompt { place(character) }
    var offset = 0
    var isFound = false
    for part in SQLHighlighting(text) {
      for character in part.text {
        let isHere = !isFound && offset >= cursor
        if isHere { isFound = true }
        if character == "\n" {
          if isHere { noteCursor(width: 1) }
          endLine()
        } else {
          place(character, part.style, isCursorHere: isHere)
        }
        offset += character.utf8.count
      }
    }
    if !isFound { noteCursor(width: 1) }
    setStyle(nil)
    if column == self.width { endRow(isWrapped: false) }
    rows.append(row)
  }

  private mutating func noteCursor(width: Int) {
    let isBeyond = column + width > self.width
    cursorRow = rows.count + (isBeyond ? 1 : 0)
    cursorColumn = isBeyond ? 0 : column
  }

  private mutating func place(
    _ character: Character, _ style: TextStyle? = nil, isCursorHere: Bool = false
  ) {
    var text = TerminalText.escaped(String(character))
    if character == "\t" {
      let place = column - Self.prompt.count
      text = String(repeating: " ", count: Self.tabWidth - max(0, place) % Self.tabWidth)
    }
    // What is written out in several characters may be wrapped between them.
    let signs = TerminalText.width(of: text) > 2 ? text.map(String.init) : [text]
    for (number, sign) in signs.enumerated() {
      let width = TerminalText.width(of: sign)
      if isCursorHere && number == 0 { noteCursor(width: width) }
      if column + width > self.width { endRow(isWrapped: true) }
      setStyle(style)
      row.text += sign
      column += width
    }
  }

  private mutating func endLine() {
    setStyle(nil)
    endRow(isWrapped: false)
    for character in Self.continuation { place(character) }
  }

  private mutating func endRow(isWrapped: Bool) {
    row.isFull = column >= width
    row.isWrapped = isWrapped
    rows.append(row)
    row = Row()
    column = 0
  }

  private mutating func setStyle(_ style: TextStyle?) {
    guard isStyled, style != self.style else { return }
    if self.style != nil { row.text += "\u{1B}[0m" }
    if let style { row.text += "\u{1B}[\(style.rawValue)m" }
    self.style = style
  }
}
