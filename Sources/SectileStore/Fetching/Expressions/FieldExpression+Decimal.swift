public import Foundation

// What is worked out of decimal numbers, of columns that are declared with
// ``ColumnEncoding/decimal(scale:)``. There is no arithmetic of them: a product of two columns
// would be of another unit than both.

extension FieldExpression where Value == Decimal {
  /// The sum of the group's numbers, exact: `sum(…)`; nil where there is none.
  ///
  /// The column is declared with ``ColumnEncoding/decimal(scale:)``: a request for the sum of one
  /// that holds text is invalid. A sum that does not fit into 64 bits is an error,
  /// `statementFailed`.
  public func sum() -> FieldExpression<Decimal?> { sumOfUnits }

  /// The average of the group's numbers, as exact as a `Double` is: `avg(…)`; nil where there is
  /// none.
  public func average() -> FieldExpression<Decimal?> { averageOfUnits }
}

extension FieldExpression where Value == Decimal? {
  /// The sum of the group's numbers that are not NULL, exact; nil where there is none.
  public func sum() -> FieldExpression<Decimal?> { sumOfUnits }

  /// The average of the group's numbers that are not NULL; nil where there is none.
  public func average() -> FieldExpression<Decimal?> { averageOfUnits }
}

extension FieldExpression {
  /// The same field; an error where it holds no numbers that add up.
  var ofUnits: FieldExpression<Value> {
    form.isDecimal
      ? self : .init(.invalid(.decimalText(expression.columnName ?? "an expression")))
  }

  fileprivate var sumOfUnits: FieldExpression<Decimal?> {
    .init(.aggregate("sum", ofUnits.expression), form: form)
  }

  fileprivate var averageOfUnits: FieldExpression<Decimal?> {
    .init(.aggregate("avg", ofUnits.expression), form: form.ofAverage)
  }
}
