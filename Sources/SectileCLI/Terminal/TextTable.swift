internal import Sectile

/// Rows of cells in aligned columns, safe to show on a terminal.
///
/// The first ``measuredRows`` rows are kept back to learn how wide the columns are; from then on
/// rows are written as they come, so that a large result needs no memory.
struct TextTable {
  typealias Cell = TextCell

  /// How many rows decide about the widths.
  static let measuredRows = 1000

  private let headers: [String]
  private let indentation: String
  private let output: Output
  private var waiting: [[Cell]] = []
  private var columns: TextColumns?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - headers: The names of the columns; empty for a table without a head.
  ///   - indentation: What each line begins with.
  ///   - output: Where the lines go.
  init(headers: [String] = [], indentation: String = "", output: Output) {
    self.headers = headers
    self.indentation = indentation
    self.output = output
  }

  /// Adds a row.
  mutating func append(_ cells: [Cell]) throws {
    let safe = cells.map(\.escaped)
    if let columns {
      try output.line(indentation + columns.line(safe))
      return
    }
    waiting.append(safe)
    if waiting.count >= Self.measuredRows { try writeWaiting() }
  }

  /// Writes what is still kept back.
  ///
  /// To be called once, after the last row.
  mutating func finish() throws {
    if columns == nil { try writeWaiting() }
  }

  private mutating func writeWaiting() throws {
    let columns = TextColumns(heads: headers, rows: waiting)
    self.columns = columns
    for line in columns.headLines + waiting.map({ columns.line($0) }) {
      try output.line(indentation + line)
    }
    waiting = []
  }
}
