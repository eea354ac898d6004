public import SectileCore

/// Which rows of an entity are wanted, in which order, in which sections.
///
/// A request is a value. Each method returns a refined copy:
///
/// ```swift
/// let request = FetchRequest<Package>()
///   .filter { $0.installedSize > 1024 && $0.section != "libs" }
///   .sectioned(by: \.section)
///   .sort(by: \.priority, .descending)
///   .sort(by: \.name, collation: .nocase)  // among equal priorities
///   .limit(100)
/// ```
///
/// Sections come first in the order, then the sort keys as they were added, and last the primary
/// key, so that the order of rows is always complete.
///
/// A request that makes no sense (a negative limit, a property that is no attribute) is no error
/// until it runs.
public struct FetchRequest<E: Entity>: Sendable {
  package var conditions: [SQLExpression] = []
  package var sortTerms: [SortTerm] = []
  /// Whether rows may be moved by writing the column they are sorted by.
  package var isReorderable = false
  package var section: SectionTerm?
  package var aggregates: [AggregateTerm] = []
  package var aggregateScope = FetchPlan.AggregateScope.shown
  package var limitCount: Int?
  package var offsetCount = 0
  package var batchCount = 128

  /// Creates a request for all rows, in one section, in the order of their primary key.
  public init() {}

  package func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

// MARK: - Filtering

extension FetchRequest {
  /// Wants only rows that meet a condition, besides the conditions so far.
  ///
  /// ```swift
  /// request.filter { $0.installedSize > 1024 && $0.artist.name == "Nina Simone" }
  /// ```
  public func filter(_ condition: (EntityFields<E>) -> FieldExpression<Bool>) -> Self {
    let expression = condition(.base).expression
    return with { $0.add(expression) }
  }

  /// Wants only rows for which SQL is true, besides the conditions so far.
  ///
  /// Write columns with the name of their table: `"package"."name"`.
  ///
  /// - Parameters:
  ///   - fragment: The condition, with the values for its `?` marks.
  ///   - tables: The tables the SQL reads besides the entity's own. Live results ask which rows a
  ///     change of them concerns; where the SQL has a shape that they do not understand, they fetch
  ///     again.
  /// - Returns: The refined request.
  public func filter(_ fragment: SQLFragment, dependsOn tables: [String] = []) -> Self {
    with { $0.add(.fragment(fragment, dependsOn: tables)) }
  }

  /// Adds a condition; too many are one that is invalid, so that none is copied for ever.
  package mutating func add(_ condition: SQLExpression) {
    conditions.append(condition)
    if case .invalid(let error) = SQLExpression.all(conditions).bounded {
      conditions = [.invalid(error)]
    }
  }
}

// MARK: - Sorting

extension FetchRequest {
  /// Sorts by a field, among rows that the sort keys so far leave equal.
  ///
  /// The first call gives the first key, a second call the key for ties of the first, and so on.
  ///
  /// ```swift
  /// request.sort(by: \.name, .descending, collation: .nocase)
  /// request.sort(by: \.artist.name, nulls: .last)
  /// request.sort { $0.name.length }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The field: a key path, also through to-one relationships, or a closure.
  ///   - direction: Which values come first.
  ///   - collation: How text compares; nil for the collation the column declares.
  ///   - nulls: Where NULL goes; nil for SQLite's rule, which holds NULL smaller than everything.
  /// - Returns: The refined request; one that throws where the field is a `Decimal` that is stored
  ///   as text.
  public func sort<Value>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil
  ) -> Self {
    let expression = key(.base).orderedExpression
    return with {
      $0.sortTerms.append(SortTerm(expression, direction, collation: collation, nulls: nulls))
    }
  }

  /// Forgets the sort keys so far.
  public func unsorted() -> Self {
    with { ($0.sortTerms, $0.isReorderable) = ([], false) }
  }

  /// Sorts by a column that says where each row stands, and that is written where rows are moved or
  /// inserted.
  ///
  /// ```swift
  /// let request = FetchRequest<Task>().sectioned(by: \.list).reorderable(by: \.position)
  /// let tasks = try store.results(of: request)
  /// try tasks.load()
  /// try tasks.move(from: ItemPath(section: 0, item: 4), to: ItemPath(section: 1, item: 0))
  /// ```
  ///
  /// The numbers have gaps, so that one row is written for a move; where a gap is used up, rows
  /// around it get new numbers. Whatever they were before (equal, NULL, dense) they become numbers
  /// of one order where rows are moved. An index of section and number serves it, and may be
  /// UNIQUE.
  ///
  /// Rows move between sections where these are a column of the table.
  ///
  /// - Parameters:
  ///   - key: A property that is stored as a whole number. It is the only sort key: others make the
  ///     request invalid.
  ///   - direction: Which numbers come first.
  /// - Returns: The refined request.
  public func reorderable<Value>(
    by key: (EntityFields<E>) -> FieldExpression<Value>, _ direction: SortDirection = .ascending
  ) -> Self {
    let expression = key(.base).orderedExpression
    return with {
      $0.sortTerms.append(SortTerm(expression, direction))
      $0.isReorderable = true
    }
  }
}

// MARK: - Bounds

extension FetchRequest {
  /// Wants at most so many rows; nil for all.
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
