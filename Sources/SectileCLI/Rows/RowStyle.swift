/// A mode with what can be said about it.
struct RowStyle {
  /// How wide a cell of an aligned table gets by default.
  static let defaultCellWidth = 200

  /// How rows are written.
  var mode: RowMode = .table
  /// Whether the columns' names are written; nil for the mode's own rule, by which ``RowMode/list``
  /// has none.
  var hasHeader: Bool?
  /// How many columns of a terminal a cell of a table or box takes at most; zero for any number.
  var cellWidth = defaultCellWidth
  /// What stands for NULL in a mode of text; nil for the mode's own way.
  var nullText: String?
  /// The columns whose text always has quotes in CSV and TSV; see ``SeparatedRowWriter``.
  var quotedColumns: Set<Int> = []

  /// Returns what writes the rows of one statement.
  ///
  /// - Parameters:
  ///   - columns: The columns' names.
  ///   - output: Where the rows go.
  ///   - isTerminal: Whether that is a terminal, which gets no data as it is.
  /// - Returns: The writer.
  func makeWriter(
    columns: [String], output: Output, isTerminal: Bool = Output.isTerminal
  ) -> any RowWriting {
    let writer = makePlainWriter(columns: columns, output: output, isTerminal: isTerminal)
    guard let nullText, ![.json, .ndjson, .csv, .tsv].contains(mode) else { return writer }
    return NullTextWriter(nullText, writer)
  }

  private func makePlainWriter(
    columns: [String], output: Output, isTerminal: Bool
  ) -> any RowWriting {
    let header = hasHeader ?? (mode != .list) ? columns : []
    return switch mode {
    case .table: TableRowWriter(header: header, cellWidth: cellWidth, output: output)
    case .box:
      TableRowWriter(frame: .box, header: header, cellWidth: cellWidth, output: output)
    case .markdown:
      // Without a header it would be no table in Markdown.
      TableRowWriter(frame: .markdown, header: columns, cellWidth: 0, output: output)
    case .list: ListRowWriter(header: header, output: output)
    case .csv, .tsv:
      SeparatedRowWriter(
        mode == .csv ? .comma : .tab, header: header, output: output, isTerminal: isTerminal,
        nullText: nullText ?? "", quotedColumns: quotedColumns)
    case .json: JSONRowWriter(columns: columns, isArray: true, output: output)
    case .ndjson: JSONRowWriter(columns: columns, isArray: false, output: output)
    case .line: LineRowWriter(columns: columns, output: output)
    }
  }
}
