internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes values with a separator between them.
final class ListRowWriter: RowWriting {
  private let output: Output
  private let separator: String
  private var header: [String]

  init(separator: String = "|", header: [String], output: Output) {
    self.separator = separator
    self.header = header
    self.output = output
  }

  func write(_ values: [StoredValue]) throws {
    try writeHeader()
    try line(values.map(ValueText.plain))
  }

  func finish() throws {
    try writeHeader()
  }

  private func writeHeader() throws {
    if header.isEmpty { return }
    try line(header)
    header = []
  }

  private func line(_ texts: [String]) throws {
    try output.line(texts.map { TerminalText.escaped($0) }.joined(separator: separator))
  }
}
