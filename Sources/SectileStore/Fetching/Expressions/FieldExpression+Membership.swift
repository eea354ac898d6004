extension FieldExpression where Value: StorableValue {
  /// Returns whether the field's value is one of several: `… IN (?, ?)`.
  ///
  /// With nil among the values, rows without a value are wanted, too. No values: no row is wanted.
  public func `in`<Values: Collection>(
    _ values: Values
  ) -> FieldExpression<Bool> where Values.Element == Value {
    .membership(of: expression, in: values.map { SQLExpression($0, in: form) })
  }

  /// Returns whether the field's value is one of several: `… IN (?, ?)`.
  ///
  /// A range of integers is a collection, too; its own overload, preferred, is the better SQL.
  @_disfavoredOverload
  public func `in`<Wrapped: StorableValue, Values: Collection>(
    _ values: Values
  ) -> FieldExpression<Bool> where Values.Element == Wrapped, Value == Wrapped? {
    .membership(of: expression, in: values.map { SQLExpression($0, in: form) })
  }

  /// Returns whether the field's value lies in a range: `… BETWEEN ? AND ?`.
  public func `in`(_ range: ClosedRange<Value>) -> FieldExpression<Bool> where Value: Comparable {
    between(range.lowerBound, range.upperBound)
  }

  /// Returns whether the field's value lies in a range: `… >= ? AND … < ?`.
  public func `in`(_ range: Range<Value>) -> FieldExpression<Bool> where Value: Comparable {
    self >= range.lowerBound && self < range.upperBound
  }

  /// Returns whether the field's value lies in a range: `… BETWEEN ? AND ?`.
  public func `in`<Wrapped: StorableValue>(
    _ range: ClosedRange<Wrapped>
  ) -> FieldExpression<Bool> where Value == Wrapped? {
    between(range.lowerBound, range.upperBound)
  }

  /// Returns whether the field's value lies in a range: `… >= ? AND … < ?`.
  public func `in`<Wrapped: StorableValue>(
    _ range: Range<Wrapped>
  ) -> FieldExpression<Bool> where Value == Wrapped? {
    self >= range.lowerBound && self < range.upperBound
  }

  private func between(_ lower: Value, _ upper: Value) -> FieldExpression<Bool> {
    let (lower, upper) = (SQLExpression(lower, in: form), SQLExpression(upper, in: form))
    return .init(.mixfix(orderedExpression, "BETWEEN", lower, "AND", upper))
  }
}

extension Collection where Element: StorableValue {
  /// Returns whether a field's value is one of the collection's elements: `… IN (?, ?)`.
  ///
  /// ```swift
  /// request.filter { ["libs", "oldlibs"].contains($0.section) }
  /// ```
  public func contains(_ field: FieldExpression<Element>) -> FieldExpression<Bool> {
    field.in(self)
  }
}

extension ClosedRange where Bound: StorableValue {
  /// Returns whether a field's value lies in the range: `… BETWEEN ? AND ?`.
  public func contains(_ field: FieldExpression<Bound>) -> FieldExpression<Bool> {
    field.in(self)
  }
}

extension Range where Bound: StorableValue {
  /// Returns whether a field's value lies in the range: `… >= ? AND … < ?`.
  public func contains(_ field: FieldExpression<Bound>) -> FieldExpression<Bool> {
    field.in(self)
  }
}

extension FieldExpression where Value == Bool {
  package static func membership(
    of operand: SQLExpression, in members: [SQLExpression]
  ) -> FieldExpression<Bool> {
    let listed = SQLExpression.list(operand, members.filter { !$0.isNull })
    guard members.contains(where: \.isNull) else { return .init(listed) }
    return .init(.or(listed, .suffix(operand, "IS NULL")))
  }
}
