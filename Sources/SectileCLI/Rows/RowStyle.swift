internal import SectileInspecting

/// A mode with what can be said about it.
struct RowStyle {
  /// How wide a cell of an aligned table gets by default.
  static let defaultCellWidth = 200

  /// How rows are written.
  var mode: RowMode = .table
  /// Whether nobody named the mode: rows that are wider than the terminal are then written as in
  /// ``RowMode/vertical``.
  var isModeOpen = false
  /// Whether the columns' names are written; nil for the mode's own rule, by which
  /// ``RowMode/list``, ``RowMode/insert`` and ``RowMode/quote`` have none.
  var hasHeader: Bool?
  /// How many columns of a terminal a cell of a table or box takes at most; zero for any number.
  var cellWidth = defaultCellWidth
  /// What stands for NULL in a mode of text; nil for the mode's own way.
  var nullText: String?
  /// The columns whose text always has quotes in CSV and TSV; see ``SeparatedRowWriter``.
  var quotedColumns: Set<Int> = []
  /// What stands between values in ``RowMode/list``.
  var separator = "|"
  /// The table that ``RowMode/insert`` names.
  var insertTable = "table"

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
    guard let nullText, !mode.hasNull else { return writer }
    return NullTextWriter(nullText, writer)
  }

  private func makePlainWriter(
    columns: [String], output: Output, isTerminal: Bool
  ) -> any RowWriting {
    let hasOwnHeader = mode != .list && mode != .insert && mode != .quote
    let header = hasHeader ?? hasOwnHeader ? columns : []
    if isModeOpen, mode == .table, isTerminal, let width = Pager.screenWidth {
      return FittingRowWriter(
        columns: columns, header: header, cellWidth: cellWidth, width: width, output: output)
    }
    return switch mode {
    case .table: TableRowWriter(header: header, cellWidth: cellWidth, output: output)
    case .box:
      TableRowWriter(frame: .box, header: header, cellWidth: cellWidth, output: output)
    case .markdown:
      // Without a header it would be no table in Markdown.
      TableRowWriter(frame: .markdown, header: columns, cellWidth: 0, output: output)
    case .list: ListRowWriter(separator: separator, header: header, output: output)
    case .csv, .tsv:
      SeparatedRowWriter(
        mode == .csv ? .comma : .tab, header: header, output: output, isTerminal: isTerminal,
        nullText: nullText ?? "", quotedColumns: quotedColumns)
    case .json: JSONRowWriter(columns: columns, isArray: true, output: output)
    case .ndjson: JSONRowWriter(columns: columns, isArray: false, output: output)
    case .line: LineRowWriter(columns: columns, output: output)
    case .vertical: VerticalRowWriter(columns: columns, output: output)
    case .insert:
      LiteralRowWriter(into: insertTable, columns: header, output: output, isTerminal: isTerminal)
    case .quote:
      LiteralRowWriter(into: nil, columns: header, output: output, isTerminal: isTerminal)
    case .html: HTMLRowWriter(header: header, output: output, isTerminal: isTerminal)
    }
  }
}
