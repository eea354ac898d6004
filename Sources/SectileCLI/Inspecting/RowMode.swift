internal import ArgumentParser
internal import Sectile

/// How the rows of a query are written.
enum RowMode: String, ExpressibleByArgument, CaseIterable {
  /// Aligned columns under their names, for people.
  case table
  /// Values with a bar between them, one row a line.
  case list
  /// Comma-separated values with a header, as in RFC 4180.
  case csv
  /// One JSON object a line.
  case json

  /// Returns what writes the rows of one statement.
  func makeWriter(columns: [String], output: Output) -> any RowWriting {
    switch self {
    case .table: TableRowWriter(columns: columns, output: output)
    case .list: ListRowWriter(output: output)
    case .csv: CSVRowWriter(columns: columns, output: output, isTerminal: Output.isTerminal)
    case .json: JSONRowWriter(columns: columns, output: output)
    }
  }
}
