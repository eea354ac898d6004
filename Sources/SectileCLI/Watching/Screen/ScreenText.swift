internal import Sectile
internal import SectilePresenting

/// How a piece of text is shown on a screen.
struct ScreenStyle: OptionSet, Hashable, Sendable {
  let rawValue: Int32

  static let red = Self(rawValue: 1)
  static let green = Self(rawValue: 2)
  static let yellow = Self(rawValue: 3)
  static let blue = Self(rawValue: 4)
  static let bold = Self(rawValue: 8)
  static let dim = Self(rawValue: 16)
  static let reverse = Self(rawValue: 32)
  static let underline = Self(rawValue: 64)
}

/// A piece of text at a column of a line, safe to show and not wider than the line.
struct ScreenSpan: Hashable, Sendable {
  let column: Int
  let text: String
  let style: ScreenStyle
}

/// One line of a screen.
struct ScreenLine: Hashable, Sendable {
  /// How many columns it may take.
  let width: Int
  private(set) var spans: [ScreenSpan] = []

  init(width: Int) {
    self.width = width
  }

  /// Adds text at a column; what does not fit is left out.
  mutating func add(_ text: String, at column: Int, _ style: ScreenStyle = []) {
    let room = width - column
    guard room > 0, !text.isEmpty else { return }
    spans.append(
      ScreenSpan(column: column, text: TerminalText.truncated(text, to: room), style: style))
  }

  /// Adds text that ends with the line, if it does not reach into what is there.
  mutating func addAtEnd(_ text: String, _ style: ScreenStyle = []) {
    let column = width - TerminalText.width(of: text)
    guard column > end else { return }
    add(text, at: column, style)
  }

  /// Where the text so far ends.
  var end: Int { spans.map { $0.column + TerminalText.width(of: $0.text) }.max() ?? 0 }

  /// The text without its styles, for tests.
  var text: String {
    var text = ""
    for span in spans.sorted(by: { $0.column < $1.column }) {
      text = TerminalText.padded(text, to: span.column) + span.text
    }
    return text
  }
}
