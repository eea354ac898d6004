/// What to fetch from any file, said in text: a table, and what becomes of its rows.
///
/// It is what the options of a command say, and the parameters of a request over HTTP. Two that are
/// equal mean the same, and can share live results.
///
/// ```swift
/// var request = TableRequest(table: "package", sectionBy: "section")
/// request.sorts = [try SortArgument(reading: "size DESC")]
/// let results = try store.results(of: request.plan(in: store))
/// ```
package struct TableRequest: Hashable, Sendable {
  /// The table or view, in any case.
  package var table: String
  /// What rows are grouped by: a column, or an SQL expression; nil for one section.
  package var sectionBy: String?
  /// What the rows of a section are ordered by.
  package var sorts: [SortArgument]
  /// Which rows are wanted, as an SQL condition; nil for all.
  package var filter: String?
  /// At most how many rows are fetched; nil for all.
  package var limit: Int?
  /// The columns that tell rows apart; none for those that the schema declares.
  package var keys: [String]
  /// What is worked out from the rows, of each section and of all.
  package var aggregates: [AggregateArgument]
  /// The columns of an item; none for all of them.
  package var columns: [String]

  /// Creates a request; by default of all rows and columns of a table.
  package init(
    table: String, sectionBy: String? = nil, sorts: [SortArgument] = [], filter: String? = nil,
    limit: Int? = nil, keys: [String] = [], aggregates: [AggregateArgument] = [],
    columns: [String] = []
  ) {
    self.table = table
    self.sectionBy = sectionBy
    self.sorts = sorts
    self.filter = filter
    self.limit = limit
    self.keys = keys
    self.aggregates = aggregates
    self.columns = columns
  }
}
