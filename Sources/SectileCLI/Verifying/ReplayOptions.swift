internal import ArgumentParser
internal import SectileInspecting

/// The options that say what is replayed: all tables, or one request.
struct ReplayOptions: ParsableArguments {
  @Option(
    help: "The table or view to check; without it all tables with a key.",
    completion: .custom(SchemaCompletion.tables))
  var table: String?

  @OptionGroup var query: QueryOptions

  @Option(
    help: ArgumentHelp("Group rows by this expression.", valueName: "expr"),
    completion: .custom(SchemaCompletion.columns))
  var sectionBy: String?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp("Order rows by this; repeat it for more.", valueName: "term"),
    completion: .custom(SchemaCompletion.columns))
  var sorts: [SortArgument] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Take only the rows that meet this SQL condition.", valueName: "sql"))
  var filter: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Fetch at most this many rows.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that identifies rows; repeat it for a key of several columns.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  func validate() throws {
    try query.validate(beside: table)
    try RequestOptions.validate(limit: limit)
    let isRefined =
      sectionBy != nil || filter != nil || limit != nil || !sorts.isEmpty || !keys.isEmpty
    if table == nil, query.sql == nil, isRefined {
      throw ValidationError(
        "--section-by, --sort, --where, --limit and --key need a --table or --sql.")
    }
  }

  /// Returns the request; nil for all tables.
  ///
  /// - Throws: ``CommandFailure`` for a parameter that has no name, or a value that is no text.
  func request() throws -> TableRequest? {
    if table == nil, query.sql == nil { return nil }
    var request = try query.request(or: table, keys: keys)
    request.sectionBy = sectionBy
    request.sorts = sorts
    request.filter = filter
    request.limit = limit
    return request
  }
}
