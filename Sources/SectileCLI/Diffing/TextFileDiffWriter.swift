internal import Sectile
internal import SectilePresenting

/// Writes the differences of two files for people.
final class TextFileDiffWriter: FileDiffWriting {
  let isPatch = false

  private let paths: (before: String, after: String)
  private let isSummary: Bool
  private let output: Output

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - isSummary: Whether to leave the rows out.
  ///   - output: Where the text goes.
  init(paths: (before: String, after: String), isSummary: Bool, output: Output) {
    self.paths = paths
    self.isSummary = isSummary
    self.output = output
  }

  func begin() throws {}

  func drop(_ entry: SchemaEntry, replacement: SchemaEntry?) throws {
    guard let replacement else {
      return try output.line(TextStyle.red.text("- \(Self.text(entry))"))
    }
    try output.line(TextStyle.yellow.text("~ \(Self.text(entry))"))
    if isSummary { return }
    try write(entry.sql, "  - ", .red)
    try write(replacement.sql, "  + ", .green)
  }

  func create(_ entry: SchemaEntry, original: SchemaEntry?) throws {
    if original == nil { try output.line(TextStyle.green.text("+ \(Self.text(entry))")) }
  }

  func alter(_ entry: SchemaEntry, by sql: String) throws {}

  func makeRowWriter(for part: DiffPart) throws -> any DiffWriting {
    TitledDiffWriter(
      TextStyle.bold.text(TerminalText.escaped(part.name)),
      TextDiffWriter(part.diff, paths: paths, isSummary: isSummary, output: output),
      output: output)
  }

  func rebuild(_ table: String) throws {}

  func sequence(of table: String, before: Int64?, after: Int64?) throws {
    func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "none" }
    try output.line(
      TextStyle.yellow.text(
        "~ highest key of \(TerminalText.escaped(table)): \(text(before)) → \(text(after))"))
  }

  func setting(_ name: String, before: Int64, after: Int64) throws {
    try output.line(TextStyle.yellow.text("~ \(name): \(before) → \(after)"))
  }

  func finish(_ summary: FileDiffSummary) throws {
    let tables = CountText.text(summary.tableCount, "table")
    if summary.isEqual { return try output.line("\(tables), all the same") }
    try output.line(
      "\(tables), rows differ in \(summary.differentTableCount); the schema differs in "
        + CountText.text(summary.schemaCount, "place"))
  }

  private static func text(_ entry: SchemaEntry) -> String {
    let owner =
      entry.kind == .table || entry.kind == .view ? "" : " on " + TerminalText.escaped(entry.table)
    return "\(entry.kind.rawValue) \(TerminalText.escaped(entry.name))\(owner)"
  }

  private func write(_ sql: String, _ mark: String, _ style: TextStyle) throws {
    for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
      try output.line(style.text(mark + TerminalText.escaped(String(line))))
    }
  }
}
