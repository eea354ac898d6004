internal import ArgumentParser

/// How rows are written.
enum RowMode: String, ExpressibleByArgument, CaseIterable {
  /// Aligned columns under their names, for people.
  case table
  /// The same in a drawn frame.
  case box
  /// Values with a bar between them, one row a line.
  case list
  /// Comma-separated values with a header, as in RFC 4180.
  case csv
  /// Tab-separated values with a header, quoted like ``csv``.
  case tsv
  /// One JSON array of an object for each row.
  case json
  /// One JSON object a line.
  case ndjson
  /// A table in Markdown.
  case markdown
  /// One value a line, with its column's name.
  case line

  /// Whether a person is meant to read it: values may be shortened then, and notices are written.
  var isForPeople: Bool {
    switch self {
    case .table, .box, .markdown, .line: true
    case .list, .csv, .tsv, .json, .ndjson: false
    }
  }

  /// All modes, for help and messages.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
