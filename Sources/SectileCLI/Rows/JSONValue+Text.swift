internal import Sectile
internal import SectilePresenting

extension JSONEscaping {
  /// Escapes everything a terminal could act upon.
  static let terminal = JSONEscaping.numbers(of: TerminalText.isUnsafe)
}

extension JSONValue {
  /// Creates a number of milliseconds.
  init(milliseconds duration: Duration) { self = .real(duration / .milliseconds(1)) }

  /// The document in one line, with everything a terminal could act upon escaped.
  var text: String { String(decoding: bytes(.terminal), as: UTF8.self) }
}
