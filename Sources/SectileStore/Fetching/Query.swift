public import SectileCore

/// A SELECT whose rows are followed like those of a table: sectioned, sorted, filtered, counted.
///
/// ```swift
/// let query = Query(
///   """
///   SELECT artist.id, artist.name, artist.country, count(track.id) AS tracks
///   FROM artist LEFT JOIN track ON track.artist = artist.id AND track.length > :length
///   GROUP BY artist.id
///   """, key: ["id"], named: ["length": 60])
///   .sectioned(by: "country")
///   .sort(by: "tracks", .descending)
/// let results = try store.results(of: query)
/// try results.load()
/// try results.item(at: ItemPath(section: 0, item: 0)).row["tracks"]  // .integer(12)
/// ```
///
/// A query is a value, and each method returns a refined copy. What refines it names columns of the
/// SELECT as it calls them. Sections come first in the order, then the sort keys as they were
/// added, and last the key; an ORDER BY of the SELECT itself decides nothing.
///
/// The key is what tells rows apart, as a table's primary key does: columns that the SELECT passes
/// on, or groups by. No two rows have the same key: `load()` fails otherwise, with `duplicateKey`.
/// NULL is a key of its own, as that of the group of NULL.
///
/// Values are bound, never written into the text: by `?` marks, which may be numbered, or by names.
/// A query that makes no sense is no error until it runs. Columns are known by their names; two of
/// one name are refused. The items are ``UntypedRow``s, or of a type of your own: see
/// ``Store/results(of:as:delivery:)``.
public struct Query: Hashable, Sendable {
  /// What the rows are selected by.
  enum Text: Hashable, Sendable {
    /// With a value for each `?` mark.
    case positional(String, [StoredValue])
    /// With values for names.
    case named(String, [String: StoredValue])
  }

  /// A column of the query, or SQL over its columns.
  enum Expression: Hashable, Sendable {
    case column(String)
    case sql(SQLFragment)
  }

  /// One key of an order.
  struct Term: Hashable, Sendable {
    let expression: Expression
    let direction: SortDirection
    let collation: TextCollation?
    let nulls: NullOrder?
  }

  let text: Text
  let keyColumns: [String]
  var conditions: [SQLFragment] = []
  var sortTerms: [Term] = []
  var section: Sections?
  var aggregates: [FetchPlan.Aggregate] = []
  var aggregateScope = FetchPlan.AggregateScope.shown
  var limitCount: Int?
  var offsetCount = 0
  var batchCount = 128

  /// Creates a query whose values are bound by their position.
  ///
  /// ```swift
  /// Query("SELECT id, name FROM artist WHERE born BETWEEN ? AND ?", key: ["id"], [1940, 1960])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One SELECT; WITH and VALUES are fine.
  ///   - key: The columns that tell its rows apart.
  ///   - values: A value for each `?` mark, in order; `?2` stands for the second.
  public init(_ sql: String, key: [String], _ values: [StoredValue] = []) {
    text = .positional(sql, values)
    keyColumns = key
  }

  /// Creates a query whose values are bound by name.
  ///
  /// - Parameters:
  ///   - sql: One SELECT, with parameters such as `:name`, `@name` or `$name`, each as often as you
  ///     like.
  ///   - key: The columns that tell its rows apart.
  ///   - values: A value for each name, which is written without its sign.
  public init(_ sql: String, key: [String], named values: [String: StoredValue]) {
    text = .named(sql, values)
    keyColumns = key
  }

  /// Creates a query for all rows of a view.
  ///
  /// - Parameters:
  ///   - view: The name of the view.
  ///   - key: The columns that tell its rows apart.
  public init(view: String, key: [String]) {
    self.init("SELECT * FROM \(SQLName.table(view))", key: key)
  }

  func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

// MARK: - Filtering and sorting

extension Query {
  /// Wants only rows for which SQL is true, besides the conditions so far.
  ///
  /// ```swift
  /// query.filter(SQLFragment("tracks > ?", [10]))
  /// ```
  ///
  /// - Parameter fragment: The condition on columns of the query, with the values for its `?`
  ///   marks.
  /// - Returns: The refined query.
  public func filter(_ fragment: SQLFragment) -> Self {
    with { $0.conditions.append(fragment) }
  }

  /// Sorts by a column, among rows that the sort keys so far leave equal.
  ///
  /// - Parameters:
  ///   - column: A column of the query.
  ///   - direction: Which values come first.
  ///   - collation: How text compares; nil for the collation that the column has.
  ///   - nulls: Where NULL goes; nil for SQLite's rule, which holds NULL smaller than everything.
  /// - Returns: The refined query.
  public func sort(
    by column: String, _ direction: SortDirection = .ascending, collation: TextCollation? = nil,
    nulls: NullOrder? = nil
  ) -> Self {
    let term = Term(
      expression: .column(column), direction: direction, collation: collation, nulls: nulls)
    return with { $0.sortTerms.append(term) }
  }

  /// Sorts by SQL over the query's columns, among rows that the sort keys so far leave equal.
  ///
  /// See ``sort(by:_:collation:nulls:)-(String,_,_,_)`` for more information.
  public func sort(
    by fragment: SQLFragment, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil
  ) -> Self {
    let term = Term(
      expression: .sql(fragment), direction: direction, collation: collation, nulls: nulls)
    return with { $0.sortTerms.append(term) }
  }

  /// Forgets the sort keys so far.
  public func unsorted() -> Self {
    with { $0.sortTerms = [] }
  }
}

// MARK: - Bounds

extension Query {
  /// Wants at most so many rows; nil for all.
  ///
  /// A LIMIT of the SELECT itself cuts its rows before they are filtered and sorted.
  public func limit(_ count: Int?) -> Self {
    with { $0.limitCount = count }
  }

  /// Leaves out so many rows at the beginning.
  public func offset(_ count: Int) -> Self {
    with { $0.offsetCount = count }
  }

  /// Sets how many items live results read at once, and deliver first.
  ///
  /// Without it they read 128.
  public func batchSize(_ count: Int) -> Self {
    with { $0.batchCount = count }
  }
}

// MARK: - Aggregates

extension Query {
  /// Works values out from the rows of each section, and of all of them, besides those so far.
  ///
  /// ```swift
  /// query.aggregating(FetchPlan.Aggregate(.rowCount), FetchPlan.Aggregate(.sum("tracks")))
  /// ```
  ///
  /// - Parameter aggregates: What is worked out, of columns of the query.
  /// - Returns: The refined query.
  public func aggregating(_ aggregates: FetchPlan.Aggregate...) -> Self {
    with { $0.aggregates += aggregates }
  }

  /// Says which rows aggregates are of where the query has a limit or an offset; those that are
  /// shown unless told otherwise.
  public func aggregating(over scope: FetchPlan.AggregateScope) -> Self {
    with { $0.aggregateScope = scope }
  }
}
