internal import SectilePresenting

/// A line of text that is being typed at the bottom of the screen.
struct ScreenEntry: Hashable, Sendable {
  /// What the text is for.
  enum Purpose: Hashable, Sendable {
    case search
    case filter

    /// What stands before the text.
    var prompt: String {
      switch self {
      case .search: "/"
      case .filter: "where "
      }
    }
  }

  /// How far the typing has come.
  enum Step: Hashable, Sendable {
    case typing
    case entered
    case cancelled
  }

  /// At most how many characters are taken.
  static let lengthLimit = 1000

  let purpose: Purpose
  private(set) var text: String

  /// Creates a line that begins with a text.
  init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
  }

  /// Takes what was typed.
  ///
  /// Deleting more than there is cancels, as in other programs.
  mutating func take(_ input: ScreenInput) -> Step {
    guard case .character(let character) = input else { return .typing }
    switch character {
    case "\r", "\n": return .entered
    case "\u{1B}": return .cancelled
    // Backspace, as terminals send it.
    case "\u{7F}", "\u{8}":
      if text.isEmpty { return .cancelled }
      text.removeLast()
    // Ctrl-U.
    case "\u{15}": text = ""
    default:
      if !TerminalText.isUnsafe(character), text.unicodeScalars.count < Self.lengthLimit {
        text.unicodeScalars.append(character)
      }
    }
    return .typing
  }

  /// Returns the line as it is shown: where it is too wide, its end.
  func shown(in width: Int) -> String {
    var text = purpose.prompt + text
    let room = max(1, width - 1)
    while !text.isEmpty, TerminalText.width(of: text) > room { text.removeFirst() }
    return text + "█"
  }
}
