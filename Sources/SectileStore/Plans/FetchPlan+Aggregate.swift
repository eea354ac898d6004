extension FetchPlan {
  /// What is worked out from the rows of each section, and of all of them.
  ///
  /// ```swift
  /// plan.aggregates = [FetchPlan.Aggregate(.rowCount), FetchPlan.Aggregate(.sum("size"), name:
  /// "total")] ```
  public struct Aggregate: Hashable, Sendable {
    /// What is worked out; columns are those of the plan's table.
    ///
    /// The rules are SQLite's as far as they do not depend on the order of rows: NULL counts
    /// nowhere,
    /// a sum of integers is an integer, of any other number a real one, and of no value NULL. Sums
    /// and averages are exact, and rounded once.
    public enum Function: Hashable, Sendable {
      /// How many rows there are.
      case rowCount
      /// For how many rows SQL is true; it may name those columns of the table that items have.
      case conditionCount(SQLFragment)
      /// How many values of a column are not NULL.
      case valueCount(String)
      /// How many different values of a column there are, by its collation.
      case distinctCount(String)
      /// The sum of a column.
      case sum(String)
      /// The average of a column.
      case average(String)
      /// The smallest value of a column, in SQLite's order; of equal ones the integer, then the
      /// smallest bytes.
      case minimum(String)
      /// The largest value of a column; of equal ones the same as for ``minimum(_:)``.
      case maximum(String)
    }

    /// What is worked out.
    public var function: Function
    /// What it is called in headers and JSON.
    public var name: String

    /// Creates an aggregate.
    ///
    /// - Parameters:
    ///   - function: What is worked out.
    ///   - name: What it is called; nil for SQL's own words: `sum(size)`.
    public init(_ function: Function, name: String? = nil) {
      self.function = function
      self.name = name ?? function.description
    }
  }
}

extension FetchPlan.Aggregate.Function: CustomStringConvertible {
  /// The function in SQL's words: `count`, `avg(size)`, `count(distinct maker)`,
  /// `count(where size > ?)`.
  public var description: String {
    switch self {
    case .rowCount: "count"
    case .conditionCount(let condition): "count(where \(condition.sql))"
    case .valueCount(let column): "count(\(column))"
    case .distinctCount(let column): "count(distinct \(column))"
    case .sum(let column): "sum(\(column))"
    case .average(let column): "avg(\(column))"
    case .minimum(let column): "min(\(column))"
    case .maximum(let column): "max(\(column))"
    }
  }

  /// The column that it looks at; nil where it looks at whole rows.
  package var column: String? {
    switch self {
    case .rowCount, .conditionCount: nil
    case .valueCount(let column), .distinctCount(let column), .sum(let column),
      .average(let column), .minimum(let column), .maximum(let column):
      column
    }
  }
}

extension FetchPlan.Aggregate.Function {
  /// Returns the function of another column; one that looks at whole rows stays.
  func naming(_ column: String) -> Self {
    switch self {
    case .rowCount, .conditionCount: self
    case .valueCount: .valueCount(column)
    case .distinctCount: .distinctCount(column)
    case .sum: .sum(column)
    case .average: .average(column)
    case .minimum: .minimum(column)
    case .maximum: .maximum(column)
    }
  }
}

extension FetchPlan {
  /// Which rows are aggregated where a request has a limit or an offset.
  public enum AggregateScope: Hashable, Sendable {
    /// The rows that are shown.
    case shown
    /// All rows that the filter wants, also those before the offset and behind the limit; in
    /// headers, those of the section.
    case wanted
  }
}
