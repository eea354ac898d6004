extension FetchPlan {
  /// One term of an ORDER BY clause.
  public struct SortTerm: Hashable, Sendable {
    /// What to sort by.
    public var expression: SQLFragment
    /// Whether larger values come first.
    public var isDescending: Bool
    /// Where NULL goes; nil for SQLite's own rule, which holds NULL smaller than everything.
    public var nullOrder: NullOrder?
    /// How text compares; nil for the collation the column declares, `BINARY` for an expression.
    public var collation: TextCollation?
    /// The column, where the expression is a column and nothing else; its declared collation counts
    /// when ``collation`` is nil.
    public var column: Column?

    /// Creates a term.
    public init(
      expression: SQLFragment, isDescending: Bool = false, nullOrder: NullOrder? = nil,
      collation: TextCollation? = nil, column: Column? = nil
    ) {
      self.expression = expression
      self.isDescending = isDescending
      self.nullOrder = nullOrder
      self.collation = collation
      self.column = column
    }
  }
}

extension FetchPlan {
  /// A column of a table, whatever the table is called in a plan's FROM clause.
  public struct Column: Hashable, Sendable {
    /// The table.
    public var table: String
    /// The column.
    public var name: String

    /// Creates a column.
    public init(table: String, name: String) {
      self.table = table
      self.name = name
    }
  }
}

/// Where rows whose sort key is NULL go.
public enum NullOrder: Hashable, Sendable {
  /// Before all others, whatever the direction.
  case first
  /// After all others, whatever the direction.
  case last
}
