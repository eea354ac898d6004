internal import SectileCore

// What is worked out of the rows of a group: see `grouped(by:_:)`.
//
// What may be NULL stands twice, so that the result for an optional value is as optional as that.

extension FieldExpression {
  /// How many rows of the group have a value here: `count(…)`.
  ///
  /// The key of the entity has one in every row, so `$0.id.count()` counts rows.
  public func count() -> FieldExpression<Int> {
    .init(.aggregate("count", expression))
  }

  /// How many different values the rows of the group have here: `count(DISTINCT …)`.
  ///
  /// Text compares by the collation of its column.
  public func distinctCount() -> FieldExpression<Int> {
    .init(.aggregate("count", .prefix("DISTINCT ", expression)))
  }

  /// The same value, nil where it is NULL: that of a related row that may not exist.
  ///
  /// ```swift
  /// request.selecting({ ($0.id, $0.customer.name.optional) }, as: Line.init)
  /// ```
  public var optional: FieldExpression<Value?> {
    .init(expression, form: form, isDecimalText: isDecimalText)
  }

  private func aggregate<Result>(_ function: String) -> FieldExpression<Result> {
    .init(.aggregate(function, expression))
  }

  private func extreme<Result>(_ function: String) -> FieldExpression<Result> {
    .init(.aggregate(function, orderedExpression), form: form)
  }
}

extension FieldExpression where Value: NumberStorable {
  /// The sum of the group's values: `sum(…)`; nil where there is none.
  ///
  /// A sum of integers that does not fit into 64 bits is an error, `statementFailed`; one that does
  /// not fit the field's own type is one where the item is read, `decodingFailed`. A sum of real
  /// numbers depends in its last bits on the order in which SQLite reads the rows.
  @_disfavoredOverload
  public func sum() -> FieldExpression<Value?> { aggregate("sum") }

  /// The sum of the group's values that are not NULL; nil where there is none.
  public func sum<Number>() -> FieldExpression<Value> where Value == Number? { aggregate("sum") }

  /// The average of the group's values: `avg(…)`; nil where there is none.
  public func average() -> FieldExpression<Double?> { aggregate("avg") }
}

extension FieldExpression where Value: StorableValue {
  /// The smallest value of the group: `min(…)`; nil where there is none.
  @_disfavoredOverload
  public func minimum() -> FieldExpression<Value?> { extreme("min") }

  /// The smallest value of the group that is not NULL; nil where there is none.
  public func minimum<Present>() -> FieldExpression<Value> where Value == Present? {
    extreme("min")
  }

  /// The largest value of the group: `max(…)`; nil where there is none.
  @_disfavoredOverload
  public func maximum() -> FieldExpression<Value?> { extreme("max") }

  /// The largest value of the group that is not NULL; nil where there is none.
  public func maximum<Present>() -> FieldExpression<Value> where Value == Present? {
    extreme("max")
  }
}

extension FieldExpression where Value == Bool {
  /// For how many rows of the group the condition is true: `count(nullif(…, 0))`.
  public func trueCount() -> FieldExpression<Int> {
    .init(.aggregate("count", .call("nullif", [expression, .constant("0")])))
  }
}
