internal import Sectile

/// Writes the rows of one statement.
protocol RowWriting: AnyObject {
  /// Writes a row.
  func write(_ values: [StoredValue]) throws

  /// Ends the rows.
  func finish() throws
}

/// Writes aligned columns.
final class TableRowWriter: RowWriting {
  private var table: TextTable

  init(columns: [String], output: Output) {
    table = TextTable(headers: columns, output: output)
  }

  func write(_ values: [StoredValue]) throws {
    try table.append(
      values.map { value in
        switch value {
        case .integer, .real: TextTable.Cell(ValueText.plain(value), isNumber: true)
        default: TextTable.Cell(ValueText.plain(value))
        }
      })
  }

  func finish() throws {
    try table.finish()
  }
}

/// Writes values with a bar between them.
final class ListRowWriter: RowWriting {
  private let output: Output

  init(output: Output) {
    self.output = output
  }

  func write(_ values: [StoredValue]) throws {
    try output.line(
      values.map { TerminalText.escaped(ValueText.plain($0)) }.joined(separator: "|"))
  }

  func finish() throws {}
}

/// Writes comma-separated values.
///
/// A terminal gets them escaped, a file or a program as they are.
final class CSVRowWriter: RowWriting {
  private let output: Output
  private let isTerminal: Bool
  private var header: [String]?

  init(columns: [String], output: Output, isTerminal: Bool) {
    self.output = output
    self.isTerminal = isTerminal
    header = columns
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
    guard let names = header else { return }
    header = nil
    try line(names.map(field))
  }

  private func line(_ fields: [String]) throws {
    try output.write(fields.joined(separator: ",") + "\r\n")
  }

  private func field(_ text: String) -> String {
    let text = isTerminal ? TerminalText.escaped(text) : text
    let needsQuotes =
      text.isEmpty
      || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    if !needsQuotes { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

/// Writes one JSON object a line.
///
/// Blobs are hexadecimal text; numbers JSON cannot say are text.
final class JSONRowWriter: RowWriting {
  private let output: Output
  private let names: [String]

  init(columns: [String], output: Output) {
    self.output = output
    names = columns.map(ValueText.json)
  }

  func write(_ values: [StoredValue]) throws {
    let members = zip(names, values).map { "\($0):\(Self.text(of: $1))" }
    try output.line("{" + members.joined(separator: ",") + "}")
  }

  func finish() throws {}

  private static func text(of value: StoredValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : ValueText.json("\(number)")
    case .text(let text): ValueText.json(text)
    case .blob(let bytes): ValueText.json(ValueText.hexadecimal(bytes))
    }
  }
}
