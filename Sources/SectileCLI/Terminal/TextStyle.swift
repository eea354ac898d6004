internal import Foundation

/// Colours and weights on a terminal that shows them.
enum TextStyle: String {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case blue = "34"

  /// Whether standard output shows styles: it is a terminal, and neither `NO_COLOR` nor
  /// `TERM=dumb` says otherwise (see https://no-color.org).
  static let isShown =
    Output.isTerminal && environment("NO_COLOR").isEmpty && environment("TERM") != "dumb"

  /// Returns text, which must be safe to show, in this style where styles are shown.
  func text(_ text: String, isShown: Bool = Self.isShown) -> String {
    isShown && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }

  private static func environment(_ name: String) -> String {
    ProcessInfo.processInfo.environment[name] ?? ""
  }
}
