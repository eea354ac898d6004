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
  /// The same, with the number of each row above it.
  case vertical
  /// Statements that insert the rows.
  case insert
  /// Values as SQL writes them.
  case quote
  /// The rows of a table in HTML.
  case html

  init?(argument: String) {
    self.init(rawValue: argument == "md" ? "markdown" : argument)
  }

  /// Whether a person is meant to read it: values may be shortened then, and notices are written.
  var isForPeople: Bool {
    switch self {
    case .table, .box, .markdown, .line, .vertical: true
    case .list, .csv, .tsv, .json, .ndjson, .insert, .quote, .html: false
    }
  }

  /// Whether a row is one line, whose columns stand below each other.
  var isTabular: Bool { self == .table || self == .box || self == .markdown }

  /// Whether values are written as SQL, from which the same bytes come back.
  var isSQL: Bool { self == .insert || self == .quote }

  /// Whether its writer knows by itself what stands for NULL.
  var hasNull: Bool {
    switch self {
    case .csv, .tsv, .json, .ndjson, .insert, .quote: true
    default: false
    }
  }

  /// All modes, for help and messages.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
