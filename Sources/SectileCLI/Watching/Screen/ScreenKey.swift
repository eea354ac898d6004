internal import SectilePresenting

/// What was typed at the screen of a watch.
enum ScreenInput: Hashable, Sendable {
  /// A key that is no character.
  case key(ScreenKey)
  /// A character; what it asks for depends on whether a line of text is being typed.
  case character(Unicode.Scalar)
}

/// What a key asks the screen of a watch for.
enum ScreenKey: Hashable, Sendable {
  case up
  case down
  case left
  case right
  case pageUp
  case pageDown
  case home
  case end
  /// The next match, or the next section where nothing is searched for.
  case next
  case previousMatch
  case nextSection
  case previousSection
  case fold
  case follow
  case search
  case filter
  case enter
  case escape
  case help
  case quit
  case other

  /// What a typed character asks for.
  init(_ character: Unicode.Scalar) {
    self =
      switch character {
      case "k": .up
      case "j": .down
      case "h": .left
      case "l": .right
      case "b": .pageUp
      case " ": .pageDown
      case "g": .home
      case "G": .end
      case "n": .next
      case "N": .previousMatch
      case "]": .nextSection
      case "p", "[": .previousSection
      case "\t": .fold
      case "f": .follow
      case "/": .search
      case "w", "&": .filter
      case "\r", "\n": .enter
      case "\u{1B}": .escape
      case "?": .help
      // Ctrl-C and Ctrl-D, where the terminal hands them on.
      case "q", "\u{3}", "\u{4}": .quit
      default: .other
      }
  }

  /// What the keys do, a line each.
  static let meanings = [
    ("arrows, j k", "a row up or down"),
    ("PgUp PgDn, b space", "a page"),
    ("Home End, g G", "to the beginning, to the end"),
    ("n p, ] [", "to the next or previous section"),
    ("Tab", "folds the section, or unfolds it"),
    ("left right, h l", "to other columns"),
    ("/", "searches; then n N: the next or previous match"),
    ("w, &", "shows the rows that meet an SQL condition"),
    ("Enter", "shows a row whole; then left right: other rows"),
    ("Esc", "leaves the row, the search, then the condition"),
    ("f", "follows changes, or stays"),
    ("?", "this help; any key leaves it"),
    ("q, Ctrl-C", "quits"),
  ]

  /// The meanings as a table for the help of the command.
  static var listing: String {
    let width = meanings.map { TerminalText.width(of: $0.0) }.max() ?? 0
    return meanings.map { keys, meaning in
      "  " + TerminalText.padded(keys, to: width + 2) + meaning
    }.joined(separator: "\n")
  }
}
