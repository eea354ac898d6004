internal import Foundation

/// Turns the nodes of a Foundation predicate into SQL expressions.
struct PredicateTranslation {
  /// The predicate's variable: the row.
  let variable: PredicateExpressions.VariableID
  /// Returns the column of a key path that starts at the row.
  let column: (AnyKeyPath) -> FieldExpression<Void>?

  /// Returns the SQL expression for a node.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - form: The form that a constant is written in.
  /// - Returns: The expression.
  /// - Throws: `unsupportedPredicate` for a node that SQL cannot say.
  func translate(_ node: Any, in form: ColumnForm = .standard) throws(StoreError) -> SQLExpression {
    if form != .standard, let value = constant(node) as? any StorableValue {
      return SQLExpression(value, in: form)
    }
    guard let node = node as? any PredicateTranslatable else { throw unsupported(node) }
    return try node.expression(in: self)
  }

  /// Returns the form of the columns among nodes that are compared.
  ///
  /// - Throws: `invalidRequest` where they have different ones.
  func form(of nodes: [Any]) throws(StoreError) -> ColumnForm {
    var common: ColumnForm?
    for case let node as any PredicateColumn in nodes {
      guard let form = node.form(in: self) else { continue }
      if let common, common != form { throw .twoForms(common, form) }
      common = form
    }
    return common ?? .standard
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

/// A node of a predicate that is a column, or falls back from one.
protocol PredicateColumn {
  /// The form of the column; nil if the node is none.
  func form(in translation: PredicateTranslation) -> ColumnForm?
}

extension PredicateTranslation {
  /// Returns an operator between two nodes.
  func infix(
    _ left: Any, _ name: String, _ right: Any
  ) throws(StoreError) -> SQLExpression {
    let form = try form(of: [left, right])
    return .infix(try translate(left, in: form), name, try translate(right, in: form))
  }

  /// Returns whether two nodes are equal: as Swift sees it where one of them may be nil.
  func equality(
    _ left: Any, _ right: Any, isOptional: Bool, isNegated: Bool
  ) throws(StoreError) -> SQLExpression {
    let form = try form(of: [left, right])
    let first = try translate(left, in: form)
    let second = try translate(right, in: form)
    if second.isNull { return .suffix(first, isNegated ? "IS NOT NULL" : "IS NULL") }
    if first.isNull { return .suffix(second, isNegated ? "IS NOT NULL" : "IS NULL") }
    if isOptional { return .infix(first, isNegated ? "IS NOT" : "IS", second) }
    return .infix(first, isNegated ? "<>" : "=", second)
  }
}
