internal import ArgumentParser
internal import SectileInspecting

/// The options that say what is replayed: all tables, or one request.
struct ReplayOptions: ParsableArguments {
  @Option(
    help: "The table or view to check; without it all tables with a key.",
    completion: .custom(SchemaCompletion.tables))
  var table: String?

  @Option(
    help: ArgumentHelp("What rows are grouped by.", valueName: "expr"),
    completion: .custom(SchemaCompletion.columns))
  var sectionBy: String?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp("What rows are ordered by; repeat it for more.", valueName: "term"),
    completion: .custom(SchemaCompletion.columns))
  var sorts: [SortArgument] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Which rows are wanted: an SQL condition.", valueName: "sql"))
  var filter: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("At most how many rows to fetch.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that tells rows apart; repeat it for a key of several.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  func validate() throws {
    _ = try request()
  }

  /// Returns the request; nil for all tables.
  func request() throws -> TableRequest? {
    guard let table else {
      if sectionBy != nil || filter != nil || limit != nil || !sorts.isEmpty || !keys.isEmpty {
        throw ValidationError("--section-by, --sort, --where, --limit and --key need a --table.")
      }
      return nil
    }
    try RequestOptions.validate(limit: limit)
    return TableRequest(
      table: table, sectionBy: sectionBy, sorts: sorts, filter: filter, limit: limit, keys: keys)
  }
}
