internal import Sectile

/// Writes a title before the differences of a table, and a blank line after them.
final class TitledDiffWriter: DiffWriting {
  private let title: String
  private let writer: TextDiffWriter
  private let output: Output

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - title: What comes before the differences.
  ///   - writer: Writes them.
  ///   - output: Where it goes.
  init(_ title: String, _ writer: TextDiffWriter, output: Output) {
    self.title = title
    self.writer = writer
    self.output = output
  }

  func begin() throws {
    try output.line(title)
    try writer.begin()
  }

  func write(_ difference: RowDifference) throws { try writer.write(difference) }

  func finish(_ summary: DiffSummary) throws {
    try writer.finish(summary)
    try output.line()
  }
}
