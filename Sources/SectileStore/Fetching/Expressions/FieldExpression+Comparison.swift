// One overload for a value and one for another field: more of them cost type-checking time.

/// Returns whether two values are equal; with nil, whether there is no value.
///
/// ```swift
/// $0.section == "libs"  // "package"."section" = ?
/// $0.removedAt == nil   // "package"."removed_at" IS NULL
/// ```
public func == <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .equality(left.expression, SQLExpression(right, in: left.form))
}

/// Returns whether two fields are equal.
///
/// NULL equals nothing, not even NULL: see ``FieldExpression/isIdentical(to:)-(Value)``.
public func == <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, "=", right)
}

/// Returns whether two values differ; with nil, whether there is a value.
///
/// A NULL neither equals a value nor differs from it: rows without a value are not wanted. To
/// include them, negate ``FieldExpression/isIdentical(to:)-(Value)``.
///
/// ```swift
/// $0.section != "libs"  // "package"."section" <> ?
/// $0.removedAt != nil   // "package"."removed_at" IS NOT NULL
/// ```
public func != <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .inequality(left.expression, SQLExpression(right, in: left.form))
}

/// Returns whether two fields differ.
///
/// NULL differs from nothing.
public func != <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, "<>", right)
}

/// Returns whether a field is smaller than a value: `"package"."installed_size" < ?`.
public func < <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .ordering(left, "<", SQLExpression(right, in: left.form))
}

/// Returns whether a field is smaller than another.
public func < <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, "<", right)
}

/// Returns whether a field is at most a value: `"package"."installed_size" <= ?`.
public func <= <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .ordering(left, "<=", SQLExpression(right, in: left.form))
}

/// Returns whether a field is at most another.
public func <= <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, "<=", right)
}

/// Returns whether a field is larger than a value: `"package"."installed_size" > ?`.
public func > <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .ordering(left, ">", SQLExpression(right, in: left.form))
}

/// Returns whether a field is larger than another.
public func > <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, ">", right)
}

/// Returns whether a field is at least a value: `"package"."installed_size" >= ?`.
public func >= <Value: StorableValue>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Bool> {
  .ordering(left, ">=", SQLExpression(right, in: left.form))
}

/// Returns whether a field is at least another.
public func >= <Value: StorableValue>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Bool> {
  .comparison(left, ">=", right)
}

extension FieldExpression {
  /// Whether there is no value: `… IS NULL`.
  ///
  /// Also true for every field of a missing related row.
  public var isNull: FieldExpression<Bool> { .init(.suffix(expression, "IS NULL")) }

  /// Whether there is a value: `… IS NOT NULL`.
  public var hasValue: FieldExpression<Bool> { .init(.suffix(expression, "IS NOT NULL")) }

  /// Returns whether two fields are equal, where NULL equals NULL: `… IS …`.
  ///
  /// Always true or false, as is its negation.
  public func isIdentical(to other: FieldExpression<Value>) -> FieldExpression<Bool> {
    .comparison(self, "IS", other)
  }
}

extension FieldExpression where Value: StorableValue {
  /// Returns whether a field equals a value, where NULL equals nil: `… IS ?`.
  ///
  /// Always true or false, as is its negation:
  ///
  /// ```swift
  /// request.filter { !$0.section.isIdentical(to: "libs") }  // also rows without a section
  /// ```
  public func isIdentical(to value: Value) -> FieldExpression<Bool> {
    .infix(self, "IS", SQLExpression(value, in: form))
  }
}

extension FieldExpression where Value == Bool {
  /// Returns an operator between two fields, which must hold their values in the same form.
  fileprivate static func comparison<Operand>(
    _ left: FieldExpression<Operand>, _ name: String, _ right: FieldExpression<Operand>
  ) -> FieldExpression<Bool> {
    guard left.form == right.form else { return .init(.invalid(.twoForms(left.form, right.form))) }
    let isOrdering = !["=", "<>", "IS"].contains(name)
    return isOrdering
      ? .ordering(left, name, right.orderedExpression) : .infix(left, name, right.expression)
  }

  /// Returns an operator that tells which value comes first.
  fileprivate static func ordering<Operand>(
    _ left: FieldExpression<Operand>, _ name: String, _ right: SQLExpression
  ) -> FieldExpression<Bool> {
    .init(.infix(left.orderedExpression, name, right))
  }

  package static func infix<Operand>(
    _ left: FieldExpression<Operand>, _ name: String, _ right: SQLExpression
  ) -> FieldExpression<Bool> {
    .init(.infix(left.expression, name, right))
  }

  package static func equality(
    _ left: SQLExpression, _ right: SQLExpression
  ) -> FieldExpression<Bool> {
    .init(right.isNull ? .suffix(left, "IS NULL") : .infix(left, "=", right))
  }

  package static func inequality(
    _ left: SQLExpression, _ right: SQLExpression
  ) -> FieldExpression<Bool> {
    .init(right.isNull ? .suffix(left, "IS NOT NULL") : .infix(left, "<>", right))
  }
}
