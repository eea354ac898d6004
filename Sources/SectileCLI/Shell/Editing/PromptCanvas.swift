/// Draws what is typed, in colours and in as many rows as it needs.
final class PromptCanvas {
  private let isStyled: Bool
  private let send: (_ bytes: String) -> Void
  private let size: () -> (width: Int, height: Int)

  // Confined to the thread that runs the shell.
  private var text = ""
  private var cursor = 0
  /// How far below the first row of what was drawn the terminal's cursor stands.
  private var rowOfCursor = 0
  private var isDrawn = false

  /// Creates a canvas.
  ///
  /// - Parameters:
  ///   - isStyled: Whether it draws in colours.
  ///   - size: Tells how many columns and rows the terminal has.
  ///   - send: Sends text, escape sequences among it, to the terminal.
  init(
    isStyled: Bool, size: @escaping () -> (width: Int, height: Int),
    send: @escaping (_ bytes: String) -> Void
  ) {
    self.isStyled = isStyled
    self.size = size
    self.send = send
  }

  /// Shows a text, in place of the one before.
  ///
  /// - Parameters:
  ///   - text: What was typed so far.
  ///   - cursor: Before which of its bytes the cursor stands.
  func show(_ text: String, cursor: Int) {
    if isDrawn && text == self.text && cursor == self.cursor { return }
    draw(text, cursor: cursor)
  }

  /// Shows a text where the terminal's cursor is, below what somebody else wrote.
  func begin(_ text: String, cursor: Int) {
    rowOfCursor = 0
    draw(text, cursor: cursor)
  }

  /// Shows a text, and the cursor behind it, for good.
  func finish(_ text: String) {
    draw(text, cursor: text.utf8.count, isWhole: true)
    isDrawn = false
    rowOfCursor = 0
  }

  /// Shows the text, with the cursor behind it, as what was given up.
  func finish() { finish(text) }

  /// Shows lines below the text; the text follows once more.
  func show(listing: String) {
    finish(text)
    send("\r\n" + listing.split(separator: "\n").map { $0 + "\r\n" }.joined())
  }

  /// Shows the text alone on the screen.
  func clear(_ text: String, cursor: Int) {
    send("\u{1B}[H\u{1B}[2J")
    begin(text, cursor: cursor)
  }

  /// Shows the text on a terminal of another size, which has wrapped its rows anew.
  func resize() {
    guard isDrawn else { return }
    let (width, height) = size()
    let layout = PromptLayout(text, cursor: cursor, width: width, isStyled: false)
    rowOfCursor = min(layout.cursorRow, height - 1)
    draw(text, cursor: cursor)
  }

  private func draw(_ text: String, cursor: Int, isWhole: Bool = false) {
    let (width, height) = size()
    let layout = PromptLayout(text, cursor: cursor, width: width, isStyled: isStyled)
    // Of what is higher than the screen the part around the cursor is shown.
    let first = isWhole ? 0 : max(0, min(layout.cursorRow, layout.rows.count - height))
    let rows = isWhole ? layout.rows[...] : layout.rows[first...].prefix(height)
    var bytes = "\u{1B}[?25l" + (rowOfCursor > 0 ? "\u{1B}[\(rowOfCursor)A" : "") + "\r"
    for (index, row) in zip(rows.indices, rows) {
      bytes += row.text
      let isLast = index == rows.endIndex - 1
      // Behind the last column, what is erased would be the last character.
      if !row.isFull { bytes += isLast ? "\u{1B}[J" : "\u{1B}[K" }
      if !isLast && !row.isWrapped { bytes += "\r\n" }
    }
    let rowsBelow = rows.endIndex - 1 - layout.cursorRow
    if rowsBelow > 0 { bytes += "\u{1B}[\(rowsBelow)A" }
    bytes += "\r" + (layout.cursorColumn > 0 ? "\u{1B}[\(layout.cursorColumn)C" : "")
    send(bytes + "\u{1B}[?25h")
    rowOfCursor = layout.cursorRow - first
    self.text = text
    self.cursor = cursor
    isDrawn = true
  }
}
