package import SectileCore

extension PlanSortTerm {
  /// The expression under its collation: what GROUP BY and comparisons need.
  package var compared: SQLFragment {
    guard let collation else { return expression }
    let operand = column == nil ? expression.inParentheses : expression
    return operand + SQLFragment(" COLLATE \(SQLName.quote(collation.name))")
  }

  /// The term as it stands in ORDER BY.
  package var ordered: SQLFragment {
    var term = compared
    if isDescending { term.sql += " DESC" }
    switch nullOrder {
    case .first: term.sql += " NULLS FIRST"
    case .last: term.sql += " NULLS LAST"
    case nil: break
    }
    return term
  }
}

extension PlanSection {
  /// The identity with what its collation ignores taken away: one value for each section.
  ///
  /// Only for the collations of SQLite's own. Under a collation written in Swift the identity is as
  /// the row has it, and two values that compare equal are one section.
  package var foldedIdentity: SQLFragment {
    let function: String
    switch identity.collation {
    case .some(.nocase): function = "lower"
    case .some(.rtrim): function = "rtrim"
    default: return identity.expression
    }
    // The functions would turn numbers into text.
    let operand = identity.column == nil ? identity.expression.inParentheses : identity.expression
    return SQLFragment("CASE typeof(") + identity.expression
      + SQLFragment(") WHEN 'text' THEN \(function)(") + identity.expression
      + SQLFragment(") ELSE ") + operand + SQLFragment(" END")
  }

  /// What sections are ordered by before their identity.
  var effectiveOrder: [PlanSortTerm] {
    guard let fixedSections else { return order }
    return [PlanSortTerm(expression: position(in: fixedSections))]
  }

  /// The condition that a row's section is in the fixed list; nil without one.
  var fixedFilter: SQLFragment? {
    guard let fixedSections else { return nil }
    let values = fixedSections.filter { $0 != .null }
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let operand = operandOfComparison
    var condition = operand + SQLFragment(" IN (\(marks))", values)
    if values.count < fixedSections.count {
      condition = condition + SQLFragment(" OR ") + operand + SQLFragment(" IS NULL")
    }
    return condition
  }

  private var operandOfComparison: SQLFragment {
    identity.column == nil && identity.collation == nil
      ? identity.expression.inParentheses : identity.compared
  }

  private func position(in list: [StoredValue]) -> SQLFragment {
    let operand = operandOfComparison
    var choice = SQLFragment("CASE")
    for (position, value) in list.enumerated() {
      choice = choice + SQLFragment(" WHEN ") + operand
      choice = choice + SQLFragment(" IS ? THEN \(position)", [value])
    }
    // CASE needs a branch, also for an empty list.
    return choice + SQLFragment(list.isEmpty ? " WHEN 1 THEN 0 END" : " END")
  }
}

extension PlanSection {
  /// The fixed sections' identities, as the rows of the sections have them.
  package var foldedFixedSections: [StoredValue]? { fixedSections?.map(folded) }

  /// Returns a value as ``foldedIdentity`` would give it.
  package func folded(_ value: StoredValue) -> StoredValue {
    guard case .text(let text) = value else { return value }
    var bytes = Array(text.utf8)
    switch identity.collation {
    case .some(.nocase):
      for index in bytes.indices
      where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index]) {
        bytes[index] += 32
      }
    case .some(.rtrim):
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    default: return value
    }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}
