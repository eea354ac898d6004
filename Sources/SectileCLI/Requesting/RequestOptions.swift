internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

/// The options that say what to fetch, alike in every subcommand that fetches.
struct RequestOptions: ParsableArguments {
  @Option(
    help: "The table or view whose rows are fetched.",
    completion: .custom(SchemaCompletion.tables))
  var table: String?

  @OptionGroup var query: QueryOptions

  @Option(
    help:
      "Group rows by a column, or by any SQL expression, as in 'upper(substr(name, 1, 1))'.",
    completion: .custom(SchemaCompletion.columns))
  var sectionBy: String?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp(
      "Order the rows of a section by this; repeat it for more. DESC, NULLS FIRST or LAST and COLLATE are understood, as in 'size DESC'.",
      valueName: "term"), completion: .custom(SchemaCompletion.columns))
  var sorts: [SortArgument] = []

  @Option(name: .customLong("where"), help: "Take only the rows that meet this SQL condition.")
  var filter: String?

  @Option(parsing: .unconditional, help: "Fetch at most this many rows.")
  var limit: Int?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that identifies rows if the table declares no primary key, or the query does not say it; repeat it for a key of several columns.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  init() {}

  func validate() throws {
    if table == nil, query.sql == nil {
      throw ValidationError("Name a table with --table, or write a SELECT with --sql.")
    }
    try query.validate(beside: table)
    try Self.validate(limit: limit)
  }

  /// Refuses a limit that is no number of rows.
  static func validate(limit: Int?) throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number of rows: 0 or more.") }
  }

  /// Returns the request.
  ///
  /// - Parameters:
  ///   - columns: The columns of an item; none for all.
  ///   - aggregates: What is worked out from the rows.
  /// - Returns: The request, which any file may be asked for.
  /// - Throws: ``CommandFailure`` for a parameter that has no name, or a value that is no text.
  func request(
    columns: [String] = [], aggregates: [AggregateArgument] = []
  ) throws -> TableRequest {
    var request = try query.request(or: table, keys: keys)
    request.sectionBy = sectionBy
    request.sorts = sorts
    request.filter = filter
    request.limit = limit
    request.aggregates = aggregates
    request.columns = columns
    return request
  }
}

extension SortArgument: ExpressibleByArgument {}

extension AggregateArgument: ExpressibleByArgument {}
