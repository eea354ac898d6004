internal import Foundation

/// Turns the nodes of a Foundation predicate into SQL expressions.
struct PredicateTranslation {
  /// The predicate's variable: the row.
  let variable: PredicateExpressions.VariableID
  /// Returns the column of a key path that starts at the row.
  let column: (AnyKeyPath) -> SQLExpression?

  /// Returns the SQL expression for a node.
  func translate(_ node: Any) throws(StoreError) -> SQLExpression {
    guard let node = node as? any PredicateTranslatable else { throw unsupported(node) }
    return try node.expression(in: self)
  }

  /// Returns the value of a node that is a constant; nil for any other.
  func constant(_ node: Any) -> Any? {
    (node as? any PredicateConstant)?.constant
  }

  func unsupported(_ node: Any) -> StoreError {
    // `PredicateExpressions.StringLocalizedCompare<…>`: the first name is the construct.
    let type = String(describing: Swift.type(of: node))
    let name = type.prefix { $0 != "<" }
    return StoreError(
      .unsupportedPredicate,
      message: "SQL cannot say what the predicate says with \(name).",
      hint: "Use the closure form of filter, or a condition in SQL.")
  }
}

/// A node of a predicate that SQL can say.
protocol PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression
}

/// A node of a predicate that holds a value.
protocol PredicateConstant {
  var constant: Any { get }
}

extension PredicateTranslation {
  /// Returns an operator between two nodes.
  func infix(
    _ left: Any, _ name: String, _ right: Any
  ) throws(StoreError) -> SQLExpression {
    .infix(try translate(left), name, try translate(right))
  }

  /// Returns whether two nodes are equal: as Swift sees it where one of them may be nil.
  func equality(
    _ left: Any, _ right: Any, isOptional: Bool, isNegated: Bool
  ) throws(StoreError) -> SQLExpression {
    let first = try translate(left)
    let second = try translate(right)
    if second.isNull { return .suffix(first, isNegated ? "IS NOT NULL" : "IS NULL") }
    if first.isNull { return .suffix(second, isNegated ? "IS NOT NULL" : "IS NULL") }
    if isOptional { return .infix(first, isNegated ? "IS NOT" : "IS", second) }
    return .infix(first, isNegated ? "<>" : "=", second)
  }
}
