package import Sectile

/// What to fetch from any file, said in text: a table or a SELECT, and what becomes of its rows.
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
  /// The table or view, in any case; of a query, what its rows are called.
  package var table: String
  /// The SELECT whose rows take the place of a table's, without key, order and other refinements;
  /// nil for a table.
  ///
  /// The other parts then name columns of the SELECT.
  package private(set) var query: Query?
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

  /// Creates a request of the rows of a SELECT; by default of all of them, with all columns.
  ///
  /// - Parameters:
  ///   - sql: One SELECT.
  ///   - values: Values for its parameters, by their names without the sign, or by their numbers.
  ///   - keys: The columns that tell rows apart; none for those that its text says do.
  package init(sql: String, values: [String: StoredValue] = [:], keys: [String] = []) {
    self.init(table: Query.name, keys: keys)
    // Of marks alone each has a number.
    let numbered = values.keys.compactMap(Int.init).sorted()
    query =
      numbered == Array(1..<(values.count + 1))
      ? Query(sql, key: [], numbered.compactMap { values["\($0)"] })
      : Query(sql, key: [], named: values)
  }
}
