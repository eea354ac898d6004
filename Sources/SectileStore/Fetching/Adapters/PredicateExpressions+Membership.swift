internal import Foundation

// MARK: - Membership

extension PredicateExpressions.SequenceContains: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    guard let values = translation.constant(sequence) as? any Sequence else {
      throw translation.unsupported(self)
    }
    let form = try translation.form(of: [element])
    var members: [SQLExpression] = []
    for value in Array<Any>(erasing: values) {
      guard let value = value as? any StorableValue else { throw translation.unsupported(self) }
      members.append(SQLExpression(value, in: form))
    }
    return FieldExpression.membership(of: try translation.translate(element), in: members)
      .expression
  }
}

extension PredicateExpressions.RangeExpressionContains: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    let form = try translation.form(of: [element])
    let operand = try translation.translate(element, in: form)
    if let node = range as? any PredicateRangeNode {
      return try node.condition(on: operand, form, in: translation)
    }
    guard let bounds = translation.constant(range) as? any PredicateRange,
      let condition = bounds.condition(on: operand, form)
    else { throw translation.unsupported(self) }
    return condition
  }
}

/// A node that makes a range of two nodes.
private protocol PredicateRangeNode {
  func condition(
    on operand: SQLExpression, _ form: ColumnForm, in translation: PredicateTranslation
  ) throws(StoreError) -> SQLExpression
}

extension PredicateExpressions.ClosedRange: PredicateRangeNode {
  fileprivate func condition(
    on operand: SQLExpression, _ form: ColumnForm, in translation: PredicateTranslation
  ) throws(StoreError) -> SQLExpression {
    .mixfix(
      operand, "BETWEEN", try translation.translate(lower, in: form), "AND",
      try translation.translate(upper, in: form))
  }
}

extension PredicateExpressions.Range: PredicateRangeNode {
  fileprivate func condition(
    on operand: SQLExpression, _ form: ColumnForm, in translation: PredicateTranslation
  ) throws(StoreError) -> SQLExpression {
    .and(
      .infix(operand, ">=", try translation.translate(lower, in: form)),
      .infix(operand, "<", try translation.translate(upper, in: form)))
  }
}

extension Array where Element == Any {
  fileprivate init(erasing values: any Sequence) {
    self = values.map { $0 as Any }
  }
}

/// A range whose bounds can be bound.
private protocol PredicateRange {
  func condition(on operand: SQLExpression, _ form: ColumnForm) -> SQLExpression?
}

extension ClosedRange: PredicateRange {
  fileprivate func condition(on operand: SQLExpression, _ form: ColumnForm) -> SQLExpression? {
    guard let lower = lowerBound as? any StorableValue, let upper = upperBound as? any StorableValue
    else { return nil }
    return .mixfix(
      operand, "BETWEEN", SQLExpression(lower, in: form), "AND", SQLExpression(upper, in: form))
  }
}

extension Range: PredicateRange {
  fileprivate func condition(on operand: SQLExpression, _ form: ColumnForm) -> SQLExpression? {
    guard let lower = lowerBound as? any StorableValue, let upper = upperBound as? any StorableValue
    else { return nil }
    return .and(
      .infix(operand, ">=", SQLExpression(lower, in: form)),
      .infix(operand, "<", SQLExpression(upper, in: form)))
  }
}

// MARK: - Text

extension PredicateExpressions.CollectionContainsCollection: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    guard Base.Output.self is any TextStorable.Type else { throw translation.unsupported(self) }
    let position = SQLExpression.call(
      "instr", [try translation.translate(base), try translation.translate(other)])
    return .infix(position, ">", .constant("0"))
  }
}

extension PredicateExpressions.SequenceStartsWith: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    guard Base.Output.self is any TextStorable.Type else { throw translation.unsupported(self) }
    let position = SQLExpression.call(
      "instr", [try translation.translate(base), try translation.translate(prefix)])
    return .infix(position, "=", .constant("1"))
  }
}
