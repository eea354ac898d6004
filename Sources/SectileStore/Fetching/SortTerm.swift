package import SectileCore

/// One key of an order, before it is written as SQL.
package struct SortTerm: Sendable {
  package var expression: SQLExpression
  package var direction: SortDirection
  package var collation: TextCollation?
  package var nulls: NullOrder?

  package init(
    _ expression: SQLExpression, _ direction: SortDirection = .ascending,
    collation: TextCollation? = nil, nulls: NullOrder? = nil
  ) {
    self.expression = expression
    self.direction = direction
    self.collation = collation
    self.nulls = nulls
  }

  /// Returns the term as the plan's.
  package func planTerm(
    with renderer: inout SQLRenderer
  ) throws(StoreError) -> FetchPlan.SortTerm {
    var column: FetchPlan.Column?
    if case .column(let source, let name) = expression {
      column = FetchPlan.Column(table: source.table, name: name)
    }
    return FetchPlan.SortTerm(
      expression: try renderer.render(expression), isDescending: direction == .descending,
      nullOrder: nulls, collation: collation, column: column)
  }
}
