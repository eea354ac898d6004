internal import Foundation

// MARK: - Logic

extension PredicateExpressions.Conjunction: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .and(try translation.translate(lhs), try translation.translate(rhs))
  }
}

extension PredicateExpressions.Disjunction: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .or(try translation.translate(lhs), try translation.translate(rhs))
  }
}

extension PredicateExpressions.Negation: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .prefix("NOT ", try translation.translate(wrapped))
  }
}

// MARK: - Comparison

/// Whether a type is an optional.
private protocol OptionalType {}
extension Optional: OptionalType {}

extension PredicateExpressions.Equal: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    try translation.equality(
      lhs, rhs, isOptional: LHS.Output.self is any OptionalType.Type, isNegated: false)
  }
}

extension PredicateExpressions.NotEqual: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    try translation.equality(
      lhs, rhs, isOptional: LHS.Output.self is any OptionalType.Type, isNegated: true)
  }
}

extension PredicateExpressions.Comparison: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    let name =
      switch op {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      @unknown default: ""
      }
    guard !name.isEmpty else { throw translation.unsupported(self) }
    return try translation.infix(lhs, name, rhs)
  }
}

// MARK: - Arithmetic

extension PredicateExpressions.Arithmetic: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    let name =
      switch op {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      @unknown default: ""
      }
    guard !name.isEmpty else { throw translation.unsupported(self) }
    return try translation.infix(lhs, name, rhs)
  }
}

extension PredicateExpressions.IntDivision: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    try translation.infix(lhs, "/", rhs)
  }
}

extension PredicateExpressions.FloatDivision: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    try translation.infix(lhs, "/", rhs)
  }
}

extension PredicateExpressions.IntRemainder: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    try translation.infix(lhs, "%", rhs)
  }
}

extension PredicateExpressions.UnaryMinus: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .prefix("-", try translation.translate(wrapped))
  }
}

extension PredicateExpressions.Conditional: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .call(
      "iif",
      [
        try translation.translate(test), try translation.translate(trueBranch),
        try translation.translate(falseBranch),
      ])
  }
}
