internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Stored values as text.
enum ValueText {
  /// Returns a value as a person reads it: text as it is, a blob or an infinity as SQL writes it.
  static func plain(_ value: StoredValue) -> String { value.plainText }

  /// Returns a value as a cell of a table.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - width: How many columns the cell may take; zero for any number. What is left out is shown
  ///     by an ellipsis.
  /// - Returns: The cell.
  static func cell(_ value: StoredValue, width: Int) -> TextCell {
    switch value {
    case .integer, .real: return TextCell(plain(value), isNumber: true)
    case .blob(let bytes) where width > 0 && bytes.count > width:
      return shortened(plain(.blob(Array(bytes.prefix(width)))), width)
    case .text(let text) where width > 0 && text.utf8.count > width:
      // A cell of megabytes is not measured whole; no character shown takes less than a column,
      // but for marks, of which it is enough to keep some.
      let scalars = text.unicodeScalars.prefix(width * 8)
      let isWhole = scalars.endIndex == text.unicodeScalars.endIndex
      return shortened(String(scalars) + (isWhole ? "" : "…"), width)
    default: return TextCell(plain(value))
    }
  }

  private static func shortened(_ text: String, _ width: Int) -> TextCell {
    TextCell(TerminalText.truncated(TerminalText.escaped(text), to: width))
  }

  /// The version of documents and lines that hold values of rows.
  static let jsonVersion = JSONTag.format

  /// Returns a value in JSON, so that it can be read back exactly: what JSON has no word for is an
  /// object of one member, the *tag*.
  ///
  /// | SQLite | JSON |
  /// |---|---|
  /// | NULL, INTEGER, TEXT | `null`, `1`, `"text"` |
  /// | INTEGER beyond ±(2^53 − 1) | `{"$integer":"9007199254740993"}` |
  /// | REAL | `1.0`: a point or an exponent tells it from an integer |
  /// | REAL, an infinity | `{"$real":"9e999"}`, `{"$real":"-9e999"}` |
  /// | REAL beyond ±(2^53 − 1) and within ±2^64 | `{"$real":"4.611686018427388e+18"}` |
  /// | BLOB | `{"$blob":"00ff"}`, in hexadecimal |
  /// | TEXT that is not UTF-8 | `{"$text":"ff"}`: its bytes in hexadecimal |
  static func json(_ value: StoredValue) -> String {
    text { JSONBytes.append(value, to: &$0, .terminal) }
  }

  /// Returns text that is not UTF-8 in JSON; see ``json(_:)-(StoredValue)``.
  static func json(invalidText bytes: [UInt8]) -> String {
    text { JSONBytes.append(invalidText: bytes, to: &$0) }
  }

  /// Returns text as a JSON string, with everything a terminal could act upon escaped.
  static func json(_ text: String) -> String {
    self.text { JSONBytes.append(text, to: &$0, .terminal) }
  }

  private static func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
