internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes one value a line, with its column's name, below the number of its row.
final class VerticalRowWriter: RowWriting {
  /// How long the line above a row is, where the names are shorter.
  private static let ruleWidth = 24

  private let output: Output
  private let names: [String]
  private let ruleWidth: Int
  private var count = 0

  init(columns: [String], output: Output) {
    self.output = output
    let names = columns.map { TerminalText.escaped($0) }
    let width = names.map { TerminalText.width(of: $0) }.max() ?? 0
    self.names = names.map { TerminalText.padded($0, to: width, right: true) }
    ruleWidth = max(width + 2, Self.ruleWidth)
  }

  func write(_ values: [StoredValue]) throws {
    count += 1
    let head = "── row \(count) "
    try output.line(head + String(repeating: "─", count: max(2, ruleWidth - head.count)))
    for (name, value) in zip(names, values) {
      try output.line("\(name)  \(TerminalText.escaped(ValueText.plain(value)))")
    }
  }

  func finish() throws {}
}
