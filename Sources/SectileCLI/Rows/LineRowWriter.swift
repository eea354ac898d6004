internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes one value a line, with its column's name, and an empty line between rows.
final class LineRowWriter: RowWriting {
  private let output: Output
  private let names: [String]
  private var isFirst = true

  init(columns: [String], output: Output) {
    self.output = output
    let names = columns.map { TerminalText.escaped($0) }
    let width = names.map { TerminalText.width(of: $0) }.max() ?? 0
    self.names = names.map { TerminalText.padded($0, to: width, right: true) }
  }

  func write(_ values: [StoredValue]) throws {
    if !isFirst { try output.line() }
    isFirst = false
    for (name, value) in zip(names, values) {
      try output.line("\(name) = \(TerminalText.escaped(ValueText.plain(value)))")
    }
  }

  func finish() throws {}
}
