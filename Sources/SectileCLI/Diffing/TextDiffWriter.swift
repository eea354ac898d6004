internal import Sectile
internal import SectilePresenting

/// Writes differences for people, in the marks of `sectile demo` and `sectile watch`.
final class TextDiffWriter: DiffWriting {
  /// How many columns of the terminal a value takes.
  private static let valueWidth = 60

  private let diff: TableDiff
  private let paths: (before: String, after: String)
  private let isSummary: Bool
  private let output: Output

  init(
    _ diff: TableDiff, paths: (before: String, after: String), isSummary: Bool, output: Output
  ) {
    self.diff = diff
    self.paths = paths
    self.isSummary = isSummary
    self.output = output
  }

  func begin() throws {
    for (columns, path) in [
      (diff.columnsOnlyBefore, paths.before), (diff.columnsOnlyAfter, paths.after),
    ] where !columns.isEmpty {
      let names = columns.map { TerminalText.escaped($0) }.joined(separator: ", ")
      try output.line("Only in \(TerminalText.escaped(path)): \(names)")
    }
  }

  func write(_ difference: RowDifference) throws {
    if isSummary { return }
    switch difference {
    case .delete(let path, let row):
      try output.line(TextStyle.red.text("R- \(path)  \(key(row))") + "  \(values(row))")
    case .insert(let path, let row):
      try output.line(TextStyle.green.text("R+ \(path)  \(key(row))") + "  \(values(row))")
    case .update(let source, let target, let before, let after, let changed):
      let changes = changed.map { column in
        "\(TerminalText.escaped(diff.columns[column])) \(text(before.values[column])) → "
          + text(after.values[column])
      }
      try output.line(
        TextStyle.yellow.text("R~ \(source)→\(target)  \(key(after))")
          + "  \(changes.joined(separator: ", "))")
    }
  }

  func finish(_ summary: DiffSummary) throws {
    let equal = CountText.text(summary.equalCount, "row")
    if summary.isEqual { return try output.line("\(equal), all the same") }
    try output.line(
      "R-: \(summary.deleteCount)  R+: \(summary.insertCount)  R~: \(summary.updateCount)  "
        + "(\(equal) the same)")
  }

  private func key(_ row: DiffRow) -> String {
    row.key.map(text).joined(separator: ", ")
  }

  /// The columns that are no part of the key.
  private func values(_ row: DiffRow) -> String {
    let keys = Set(diff.key)
    return zip(diff.columns, row.values).filter { !keys.contains($0.0) }
      .map { "\(TerminalText.escaped($0)) \(text($1))" }.joined(separator: ", ")
  }

  private func text(_ value: ExactValue) -> String {
    switch value {
    case .invalidText(let bytes):
      return ValueText.cell(.blob(bytes), width: Self.valueWidth).escaped.text
    case .value(.text(let text)):
      // As SQL writes it, so that '1' and 1, 'NULL' and NULL differ. What is cut off is not
      // measured.
      let isLong = text.utf8.count > Self.valueWidth * 8
      let start = isLong ? String(text.unicodeScalars.prefix(Self.valueWidth)) + "…" : text
      let literal = TerminalText.escaped(StoredValue.text(start).description)
      return TerminalText.truncated(literal, to: Self.valueWidth)
    case .value(let value):
      return ValueText.cell(value, width: Self.valueWidth).escaped.text
    }
  }
}
