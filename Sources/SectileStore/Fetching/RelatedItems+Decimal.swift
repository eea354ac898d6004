public import Foundation

extension RelatedItems {
  /// Returns the sum of decimal numbers of the related rows, exact; nil where none has a value.
  ///
  /// The column is declared with ``ColumnEncoding/decimal(scale:)``: a request for the sum of one
  /// that holds text is invalid. See `sum(_:where:)` for more information.
  public func sum(
    _ field: (EntityFields<Target>) -> FieldExpression<Decimal>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Decimal?> {
    extreme("sum", { field($0).ofUnits }, condition)
  }

  /// Returns the sum of decimal numbers of the related rows that may be missing.
  public func sum(
    _ field: (EntityFields<Target>) -> FieldExpression<Decimal?>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Decimal?> {
    extreme("sum", { field($0).ofUnits }, condition)
  }

  /// Returns the average of decimal numbers of the related rows, as exact as a `Double` is; nil
  /// where none has a value.
  public func average(
    _ field: (EntityFields<Target>) -> FieldExpression<Decimal>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Decimal?> {
    averaged(extreme("avg", { field($0).ofUnits }, condition))
  }

  /// Returns the average of decimal numbers of the related rows that may be missing.
  public func average(
    _ field: (EntityFields<Target>) -> FieldExpression<Decimal?>,
    where condition: ((EntityFields<Target>) -> FieldExpression<Bool>)? = nil
  ) -> FieldExpression<Decimal?> {
    averaged(extreme("avg", { field($0).ofUnits }, condition))
  }

  private func averaged(_ units: FieldExpression<Decimal?>) -> FieldExpression<Decimal?> {
    .init(units.expression, form: units.form.ofAverage)
  }
}
