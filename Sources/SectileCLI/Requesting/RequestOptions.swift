internal import ArgumentParser
internal import Sectile

/// The options that say what to fetch, alike in every subcommand that fetches.
struct RequestOptions: ParsableArguments {
  @Option(
    help: "The table or view whose rows are fetched.",
    completion: .custom(SchemaCompletion.tables))
  var table: String

  @Option(
    help:
      "What rows are grouped by: a column, or any SQL expression, as in 'upper(substr(name, 1, 1))'.",
    completion: .custom(SchemaCompletion.columns))
  var sectionBy: String?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp(
      "What the rows of a section are ordered by; repeat it for more. DESC, NULLS FIRST or LAST and COLLATE are understood, as in 'size DESC'.",
      valueName: "term"), completion: .custom(SchemaCompletion.columns))
  var sorts: [SortTerm] = []

  @Option(name: .customLong("where"), help: "Which rows are wanted: an SQL condition.")
  var filter: String?

  @Option(help: "At most how many rows to fetch.")
  var limit: Int?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that tells rows apart, where the table declares no primary key; repeat it for a key of several.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  init() {}

  /// Creates the options of a request that was not given as arguments.
  init(
    table: String, sectionBy: String? = nil, sorts: [SortTerm] = [], filter: String? = nil,
    limit: Int? = nil, keys: [String] = []
  ) {
    self.table = table
    self.sectionBy = sectionBy
    self.sorts = sorts
    self.filter = filter
    self.limit = limit
    self.keys = keys
  }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number of rows: 0 or more.") }
  }
}
