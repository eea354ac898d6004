package import Sectile
internal import SectilePresenting

/// Writes values with a comma or a tab between them, quoted as in RFC 4180.
///
/// What stands in quotes is text, so that text which looks like something else has them, too;
/// `sectile import` reads it so. A terminal gets texts escaped, a file or a program as they are.
package final class SeparatedRowWriter: RowWriting {
  /// What stands between values, and ends a line.
  package enum Separator {
    case comma
    case tab

    var sign: UInt8 { self == .comma ? UInt8(ascii: ",") : UInt8(ascii: "\t") }
    var lineEnd: String { self == .comma ? "\r\n" : "\n" }
  }

  private let separator: Separator
  private let output: any RowOutput
  private let isTerminal: Bool
  private let nullText: String
  private let quotedColumns: Set<Int>
  private var header: [String]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - separator: What stands between values.
  ///   - header: The names of the columns; none for no header.
  ///   - output: Where the rows go.
  ///   - isTerminal: Whether that is a terminal.
  ///   - nullText: What stands for NULL, without quotes.
  ///   - quotedColumns: The columns that may hold numbers as well as text, where quotes tell them
  ///     apart also for a reader who has to find out the type.
  package init(
    _ separator: Separator, header: [String], output: any RowOutput,
    isTerminal: Bool, nullText: String = "", quotedColumns: Set<Int> = []
  ) {
    self.separator = separator
    self.header = header
    self.output = output
    self.isTerminal = isTerminal
    self.nullText = isTerminal ? TerminalText.escaped(nullText) : nullText
    self.quotedColumns = quotedColumns
  }

  package func write(_ values: [StoredValue]) throws {
    try write(values, invalidText: [])
  }

  package func write(_ values: [StoredValue], invalidText: [Int]) throws {
    try writeHeader()
    var line = ""
    for (column, value) in values.enumerated() {
      if column > 0 { line.unicodeScalars.append(Unicode.Scalar(separator.sign)) }
      switch value {
      case .text(let text) where Self.isLarge(text.utf8) && !isTerminal && !text.utf8.contains(0):
        try output.write(exchange(&line, with: ""))
        try writeLarge(text, at: column)
      case .blob(let bytes) where Self.isLarge(bytes):
        line += invalidText.contains(column) ? "t'" : "x'"
        try output.write(exchange(&line, with: "'"))
        try output.write(hexadecimal: bytes)
      case .null: line += nullText
      case .text(let text): add(text, at: column, to: &line)
      case .blob(let bytes) where invalidText.contains(column):
        line += "t'\(StoredValue.hexadecimal(bytes))'"
      case .integer, .real, .blob: line += value.plainText
      }
    }
    try end(&line)
  }

  package func finish() throws {
    try writeHeader()
  }

  private func writeHeader() throws {
    if header.isEmpty { return }
    var line = ""
    for (column, name) in header.enumerated() {
      if column > 0 { line.unicodeScalars.append(Unicode.Scalar(separator.sign)) }
      let shown = isTerminal ? TerminalText.escaped(name) : name
      let needsQuotes = Self.needsQuotes(shown, delimiter: separator.sign)
      line += needsQuotes ? Self.quoted(shown) : shown
    }
    header = []
    try end(&line)
  }

  private func end(_ line: inout String) throws {
    line += isTerminal ? "\n" : separator.lineEnd
    try output.write(line)
  }

  /// Whether a value is written by itself, so that it is not there once more in its line.
  private static func isLarge(_ bytes: some Collection<UInt8>) -> Bool { bytes.count > 1 << 14 }

  private func writeLarge(_ text: String, at column: Int) throws {
    guard needsQuotes(text, at: column) else { return try output.write(text) }
    try output.write(text, in: UInt8(ascii: "\""))
  }

  private func add(_ text: String, at column: Int, to line: inout String) {
    if text.utf8.contains(0) && !isTerminal {
      line += "t'\(StoredValue.hexadecimal(Array(text.utf8)))'"
      return
    }
    let shown = isTerminal ? TerminalText.escaped(text) : text
    line += needsQuotes(shown, at: column) ? Self.quoted(shown) : shown
  }

  private func needsQuotes(_ text: String, at column: Int) -> Bool {
    quotedColumns.contains(column) || text == nullText || Self.looksLikeValue(text)
      || Self.needsQuotes(text, delimiter: separator.sign)
  }

  /// Returns whether a text, without quotes, is read as something else: a number, a blob, text by
  /// its bytes.
  private static func looksLikeValue(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      NumberText(bytes) != .text || NumberText.tagged(bytes, UInt8(ascii: "t")) != nil
    }
  }

  /// Returns whether a text, without quotes, cannot be told from what is around it.
  package static func needsQuotes(_ text: String, delimiter: UInt8) -> Bool {
    text.isEmpty || text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
      || text.utf8.contains { byte in
        byte == delimiter || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
      }
  }

  private static func quoted(_ text: String) -> String { text.quoted(by: UInt8(ascii: "\"")) }
}
