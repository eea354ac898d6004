// What does not fit together, said in a sentence. Without these overloads the compiler finds no
// words: it "failed to produce diagnostic for expression; please submit a bug report". They are
// never called.

/// Says that a field equals no value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func == <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field differs from no value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func != <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field is not compared with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func < <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field is not compared with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func <= <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field is not compared with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func > <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field is not compared with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field compares with a value of its own type, or with a field of that type"
)
public func >= <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field that is no optional is never nil.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "this field is no optional, so it is never nil; for a field of a related row use isNull and hasValue"
)
public func == <Value: StorableValue>(
  left: FieldExpression<Value>, right: _OptionalNilComparisonType
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field that is no optional is never nil.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "this field is no optional, so it is never nil; for a field of a related row use isNull and hasValue"
)
public func != <Value: StorableValue>(
  left: FieldExpression<Value>, right: _OptionalNilComparisonType
) -> FieldExpression<Bool> { .init(mismatch) }

/// Says that a field has no sum with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field of numbers is combined with a number of its own type, a field of text with text"
)
public func + <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

/// Says that a field has no difference to a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field of numbers is combined with a number of its own type, a field of text with text"
)
public func - <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

/// Says that a field has no product with a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field of numbers is combined with a number of its own type, a field of text with text"
)
public func * <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

/// Says that a field is not divided by a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field of numbers is combined with a number of its own type, a field of text with text"
)
public func / <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

/// Says that a field has no remainder for a value of another type.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a field of numbers is combined with a number of its own type, a field of text with text"
)
public func % <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

/// Says that a field does not fall back to a value of another type.
@_disfavoredOverload
@available(*, unavailable, message: "the value after ?? is of the field's type")
public func ?? <Value: StorableValue, Other: StorableValue>(
  left: FieldExpression<Value?>, right: Other
) -> FieldExpression<Value> { .init(mismatch) }

private let mismatch = SQLExpression.invalid(
  .invalidRequest("A field is combined with a value of another type."))
