/// One term of an ORDER BY clause.
public struct PlanSortTerm: Hashable, Sendable {
  /// What to sort by.
  public var expression: SQLFragment
  /// Whether larger values come first.
  public var isDescending: Bool
  /// Where NULL goes; nil for SQLite's own rule, which holds NULL smaller than everything.
  public var nullOrder: NullOrder?
  /// How text compares; nil for the collation the column declares, `BINARY` for an expression.
  public var collation: TextCollation?

  /// Creates a term.
  public init(
    expression: SQLFragment, isDescending: Bool = false, nullOrder: NullOrder? = nil,
    collation: TextCollation? = nil
  ) {
    self.expression = expression
    self.isDescending = isDescending
    self.nullOrder = nullOrder
    self.collation = collation
  }
}

/// Where rows whose sort key is NULL go.
public enum NullOrder: Hashable, Sendable {
  /// Before all others, whatever the direction.
  case first
  /// After all others, whatever the direction.
  case last
}
