internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

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
  var sorts: [SortArgument] = []

  @Option(name: .customLong("where"), help: "Which rows are wanted: an SQL condition.")
  var filter: String?

  @Option(parsing: .unconditional, help: "At most how many rows to fetch.")
  var limit: Int?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that tells rows apart, where the table declares no primary key; repeat it for a key of several.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  init() {}

  func validate() throws { try Self.validate(limit: limit) }

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
  func request(
    columns: [String] = [], aggregates: [AggregateArgument] = []
  ) -> TableRequest {
    TableRequest(
      table: table, sectionBy: sectionBy, sorts: sorts, filter: filter, limit: limit, keys: keys,
      aggregates: aggregates, columns: columns)
  }

  /// Returns the request of all columns as the engine runs it; see
  /// `TableRequest.plan(in:withoutKey:)`.
  func plan(for store: Store, aggregates: [AggregateArgument] = []) throws -> FetchPlan {
    try request(aggregates: aggregates).plan(in: store)
  }
}

extension SortArgument: ExpressibleByArgument {}

extension AggregateArgument: ExpressibleByArgument {}
