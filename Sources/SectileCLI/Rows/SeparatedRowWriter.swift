internal import Sectile
internal import SectilePresenting

/// Writes values with a comma or a tab between them, quoted as in RFC 4180.
///
/// A terminal gets them escaped, a file or a program as they are.
final class SeparatedRowWriter: RowWriting {
  /// What stands between values, and ends a line.
  enum Separator {
    case comma
    case tab

    var sign: Character { self == .comma ? "," : "\t" }
    var lineEnd: String { self == .comma ? "\r\n" : "\n" }
  }

  private let separator: Separator
  private let special: Set<UInt8>
  private let output: Output
  private let isTerminal: Bool
  private var header: [String]

  init(
    _ separator: Separator, header: [String], output: Output,
    isTerminal: Bool = Output.isTerminal
  ) {
    self.separator = separator
    special = Set("\"\r\n".utf8).union(String(separator.sign).utf8)
    self.header = header
    self.output = output
    self.isTerminal = isTerminal
  }

  func write(_ values: [StoredValue]) throws {
    try writeHeader()
    // NULL is an empty field, the empty text is one in quotes.
    try line(
      values.map { value in
        if case .null = value { "" } else { field(ValueText.plain(value)) }
      })
  }

  func finish() throws {
    try writeHeader()
  }

  private func writeHeader() throws {
    if header.isEmpty { return }
    try line(header.map(field))
    header = []
  }

  private func line(_ fields: [String]) throws {
    try output.write(
      fields.joined(separator: String(separator.sign))
        + (isTerminal ? "\n" : separator.lineEnd))
  }

  private func field(_ text: String) -> String {
    let text = isTerminal ? TerminalText.escaped(text) : text
    if !text.isEmpty && !text.utf8.contains(where: special.contains) { return text }
    // Bytes, not characters: a quote followed by a combining mark is one Swift character.
    let quote = UInt8(ascii: "\"")
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}
