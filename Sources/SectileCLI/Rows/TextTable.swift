internal import Sectile
internal import SectilePresenting

/// Rows of cells in aligned columns, safe to show on a terminal.
///
/// The first ``measuredRows`` rows are kept back to learn how wide the columns are; from then on
/// rows are written as they come, so that a large result needs no memory.
struct TextTable {
  typealias Cell = TextCell

  /// What is drawn around the cells.
  enum Frame {
    /// Nothing; names are underlined.
    case none
    /// Lines of the box-drawing characters.
    case box
    /// The bars of a table in Markdown.
    case markdown
  }

  /// How many rows decide about the widths.
  static let measuredRows = 1000

  private let frame: Frame
  private let headers: [String]
  private let indentation: String
  private let output: Output
  private var waiting: [[Cell]] = []
  private var columns: TextColumns?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - frame: What is drawn around the cells.
  ///   - headers: The names of the columns; empty for a table without a head.
  ///   - indentation: What each line begins with.
  ///   - output: Where the lines go.
  init(
    frame: Frame = .none, headers: [String] = [], indentation: String = "", output: Output
  ) {
    self.frame = frame
    self.headers = frame.safe(headers.map { Cell($0) }).map(\.text)
    self.indentation = indentation
    self.output = output
  }

  /// Adds a row.
  mutating func append(_ cells: [Cell]) throws {
    let safe = frame.safe(cells)
    if let columns {
      try line(frame.line(safe, in: columns))
      return
    }
    waiting.append(safe)
    if waiting.count >= Self.measuredRows { try writeWaiting() }
  }

  /// Writes what is still kept back, and the lower edge.
  ///
  /// To be called once, after the last row.
  mutating func finish() throws {
    if columns == nil { try writeWaiting() }
    if let columns, let edge = frame.lowerEdge(of: columns) { try line(edge) }
  }

  private mutating func writeWaiting() throws {
    let columns = TextColumns(heads: headers, rows: waiting)
    self.columns = columns
    for text in frame.headLines(of: columns) { try line(text) }
    for cells in waiting { try line(frame.line(cells, in: columns)) }
    waiting = []
  }

  private func line(_ text: String) throws {
    try output.line(indentation + text)
  }
}

extension TextTable.Frame {
  /// Returns the cells without anything that a terminal, or the frame, could act upon.
  fileprivate func safe(_ cells: [TextCell]) -> [TextCell] {
    cells.map { cell in
      let cell = cell.escaped
      guard self == .markdown, cell.text.contains("|") else { return cell }
      let parts = cell.text.split(separator: "|", omittingEmptySubsequences: false)
      return TextCell(parts.joined(separator: "\\|"), isNumber: cell.isNumber)
    }
  }

  fileprivate func line(_ cells: [TextCell], in columns: TextColumns) -> String {
    if self == .none { return columns.line(cells) }
    let bar = self == .box ? "│" : "|"
    let padded = zip(cells, columns.widths.indices).map { " \(columns.padded($0, $1)) " }
    return bar + padded.joined(separator: bar) + bar
  }

  fileprivate func headLines(of columns: TextColumns) -> [String] {
    switch self {
    case .none: columns.headLines
    case .box:
      [edge(of: columns, "┌", "┬", "┐")]
        + (columns.heads.isEmpty
          ? [] : [line(columns.heads, in: columns), edge(of: columns, "├", "┼", "┤")])
    case .markdown:
      [line(columns.heads, in: columns), markdownRule(of: columns)]
    }
  }

  fileprivate func lowerEdge(of columns: TextColumns) -> String? {
    self == .box ? edge(of: columns, "└", "┴", "┘") : nil
  }

  private func edge(
    of columns: TextColumns, _ left: String, _ middle: String, _ right: String
  ) -> String {
    left + columns.widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle)
      + right
  }

  private func markdownRule(of columns: TextColumns) -> String {
    let rules = zip(columns.widths, columns.heads).map { width, head in
      String(repeating: "-", count: width + 1) + (head.isNumber ? ":" : "-")
    }
    return "|" + rules.joined(separator: "|") + "|"
  }
}
