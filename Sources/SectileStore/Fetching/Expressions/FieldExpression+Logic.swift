/// Returns whether both conditions hold: `… AND …`.
public func && (
  left: FieldExpression<Bool>, right: FieldExpression<Bool>
) -> FieldExpression<Bool> {
  .init(.and(left.expression, right.expression))
}

/// Returns whether one of two conditions holds: `… OR …`.
public func || (
  left: FieldExpression<Bool>, right: FieldExpression<Bool>
) -> FieldExpression<Bool> {
  .init(.or(left.expression, right.expression))
}

/// Returns whether a condition is false: `NOT …`.
///
/// Where the condition is NULL, its negation is NULL too, and the row is not wanted.
public prefix func ! (condition: FieldExpression<Bool>) -> FieldExpression<Bool> {
  .init(.prefix("NOT ", condition.expression))
}

/// Returns a field's value, or another value where there is none: `coalesce(…, ?)`.
public func ?? <Value: StorableValue>(
  left: FieldExpression<Value?>, right: Value
) -> FieldExpression<Value> {
  .init(
    .call("coalesce", [left.expression, SQLExpression(right, in: left.form)]), form: left.form,
    isDecimalText: left.isDecimalText)
}

/// Returns a field's value, or another field's where there is none: `coalesce(…, …)`.
public func ?? <Value: StorableValue>(
  left: FieldExpression<Value?>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  guard left.form == right.form else { return .init(.invalid(.twoForms(left.form, right.form))) }
  return .init(
    .call("coalesce", [left.expression, right.expression]), form: left.form,
    isDecimalText: left.isDecimalText || right.isDecimalText)
}

extension FieldExpression where Value: StorableValue {
  /// Returns the field's value, or another value where a related row is missing: `coalesce(…, ?)`.
  public func ifNull(_ value: Value) -> FieldExpression<Value> {
    .init(
      .call("coalesce", [expression, SQLExpression(value, in: form)]), form: form,
      isDecimalText: isDecimalText)
  }
}
