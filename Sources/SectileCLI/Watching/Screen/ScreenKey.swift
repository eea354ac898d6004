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
  case nextSection
  case previousSection
  case fold
  case follow
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
      case "n", "]": .nextSection
      case "p", "[": .previousSection
      case "\t": .fold
      case "f": .follow
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
    ("f", "follows changes, or stays"),
    ("?", "this help; any key leaves it"),
    ("q, Ctrl-C", "quits"),
  ]
}
