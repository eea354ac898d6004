internal import SectileCore

/// A value that is stored as a number: the integers, `Double` and `Float`, and optional ones.
///
/// Only fields of such values offer the arithmetic of ``FieldExpression``.
public protocol NumberStorable: StorableValue {}

extension Int: NumberStorable {}
extension Int8: NumberStorable {}
extension Int16: NumberStorable {}
extension Int32: NumberStorable {}
extension Int64: NumberStorable {}
extension UInt: NumberStorable {}
extension UInt8: NumberStorable {}
extension UInt16: NumberStorable {}
extension UInt32: NumberStorable {}
extension UInt64: NumberStorable {}
extension Double: NumberStorable {}
extension Float: NumberStorable {}
extension Optional: NumberStorable where Wrapped: NumberStorable {}

/// Returns the sum of a field and a value.
///
/// A sum of integers that overflows is a real number.
public func + <Value: NumberStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  left.combined("+", SQLExpression(right))
}

/// Returns the sum of two fields.
///
/// A sum of integers that overflows is a real number.
public func + <Value: NumberStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  left.combined("+", right.expression)
}

/// Returns a field less a value.
public func - <Value: NumberStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  left.combined("-", SQLExpression(right))
}

/// Returns a field less another.
public func - <Value: NumberStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  left.combined("-", right.expression)
}

/// Returns the product of a field and a value.
public func * <Value: NumberStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  left.combined("*", SQLExpression(right))
}

/// Returns the product of two fields.
public func * <Value: NumberStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  left.combined("*", right.expression)
}

/// Returns a field divided by a value.
///
/// Integers divide towards zero; by zero gives NULL.
public func / <Value: NumberStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  left.combined("/", SQLExpression(right))
}

/// Returns a field divided by another.
///
/// Integers divide towards zero; by zero gives NULL.
public func / <Value: NumberStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  left.combined("/", right.expression)
}

/// Returns the remainder of a field divided by a value, with the sign of the field; by zero gives
/// NULL.
///
/// SQLite cuts real numbers to integers first.
public func % <Value: NumberStorable>(
  left: FieldExpression<Value>, right: Value
) -> FieldExpression<Value> {
  left.combined("%", SQLExpression(right))
}

/// Returns the remainder of a field divided by another, with the sign of the first; by zero gives
/// NULL.
///
/// SQLite cuts real numbers to integers first.
public func % <Value: NumberStorable>(
  left: FieldExpression<Value>, right: FieldExpression<Value>
) -> FieldExpression<Value> {
  left.combined("%", right.expression)
}

/// Returns a field with its sign changed.
public prefix func - <Value: NumberStorable>(
  operand: FieldExpression<Value>
) -> FieldExpression<Value> {
  .init(.prefix("-", operand.expression))
}

extension FieldExpression where Value: NumberStorable {
  /// The number without its sign: `abs(…)`.
  ///
  /// SQLite reports an error for the smallest integer.
  public var abs: FieldExpression<Value> { .init(.call("abs", [expression])) }

  /// The number rounded to the nearest integer, halves away from zero, as a real number:
  /// `round(…)`.
  public var rounded: FieldExpression<Double> { .init(.call("round", [expression])) }

  /// Returns the number rounded to a count of decimal digits: `round(…, ?)`.
  public func rounded(toDigits digits: Int) -> FieldExpression<Double> {
    .init(.call("round", [expression, .value(.integer(Int64(digits)))]))
  }

  /// Returns the largest multiple of a size that is not above the number, to group by.
  ///
  /// ```swift
  /// $0.installedSize.bucket(of: 1024)  // 0 for 0...1023, 1024 for 1024...2047, -1024 for -1
  /// ```
  ///
  /// - Parameter size: The width of a bucket. NULL results from zero.
  /// - Returns: The lower bound of the number's bucket.
  public func bucket(of size: Value) -> FieldExpression<Value> {
    // CAST cuts towards zero; the comparison takes one off where that went up.
    let width = SQLExpression(size)
    let cut = SQLExpression.cast(.infix(expression, "/", width), "INTEGER")
    let isAbove = SQLExpression.infix(expression, "<", .infix(cut, "*", width))
    return .init(.infix(.infix(cut, "-", isAbove), "*", width))
  }

  package func combined(_ name: String, _ right: SQLExpression) -> FieldExpression<Value> {
    .init(.infix(expression, name, right))
  }
}
