internal import Foundation
internal import SectileCore

extension PredicateExpressions.Value: PredicateTranslatable, PredicateConstant {
  var constant: Any { value }

  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    guard let value = value as? any StorableValue else { throw translation.unsupported(self) }
    return SQLExpression(value)
  }
}

extension PredicateExpressions.NilLiteral: PredicateTranslatable {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    .value(.null)
  }
}

extension PredicateExpressions.KeyPath: PredicateTranslatable, PredicateConstant, PredicateColumn {
  /// The value of a key path into a captured value.
  var constant: Any {
    guard let root = (root as? any PredicateConstant)?.constant as? Root.Output else { return self }
    return root[keyPath: keyPath]
  }

  func form(in translation: PredicateTranslation) -> ColumnForm? {
    guard let variable = root as? PredicateExpressions.Variable<Root.Output>,
      variable.key == translation.variable
    else { return nil }
    return translation.column(keyPath)?.form
  }

  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    if let variable = root as? PredicateExpressions.Variable<Root.Output> {
      guard variable.key == translation.variable, let column = translation.column(keyPath) else {
        throw StoreError(
          .unsupportedPredicate, message: "\(keyPath) is not an attribute of \(Root.Output.self).",
          hint: "Use a property that the schema lists, or the closure form of filter.")
      }
      return column.expression
    }
    if let value = constant as? any StorableValue { return SQLExpression(value) }
    if let text = keyPath as? KeyPath<String, Bool>, text == \String.isEmpty {
      return .infix(try translation.translate(root), "=", .constant("''"))
    }
    throw StoreError(
      .unsupportedPredicate,
      message: "SQL cannot say what the predicate says with \(keyPath).",
      hint: "A predicate may use the attributes of \(Root.Output.self) and nothing inside them.")
  }
}

extension PredicateExpressions.NilCoalesce: PredicateTranslatable, PredicateColumn {
  func expression(in translation: PredicateTranslation) throws(StoreError) -> SQLExpression {
    let form = try translation.form(of: [lhs, rhs])
    return .call(
      "coalesce",
      [try translation.translate(lhs, in: form), try translation.translate(rhs, in: form)])
  }

  func form(in translation: PredicateTranslation) -> ColumnForm? {
    (lhs as? any PredicateColumn)?.form(in: translation)
  }
}
