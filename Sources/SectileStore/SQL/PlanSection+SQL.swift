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
    let operand = identity.column == nil ? identity.expression.inParentheses : identity.expression
    let text: SQLFragment
    switch identity.collation {
    case .some(.nocase): text = foldedText(operand)
    case .some(.rtrim): text = SQLFragment("rtrim(") + operand + SQLFragment(")")
    default: return identity.expression
    }
    // The functions would turn numbers into text.
    return SQLFragment("CASE typeof(") + operand + SQLFragment(") WHEN 'text' THEN ") + text
      + SQLFragment(" ELSE ") + operand + SQLFragment(" END")
  }

  /// Returns text in lower case, with zero bytes for all that follows one.
  ///
  /// Of that, `NOCASE` compares the length alone.
  private func foldedText(_ text: SQLFragment) -> SQLFragment {
    let bytes = SQLFragment("CAST(") + text + SQLFragment(" AS BLOB)")
    let zero = SQLFragment("instr(") + bytes + SQLFragment(", x'00')")
    // `substr` of text ends at a zero byte.
    return SQLFragment("CASE ") + zero + SQLFragment(" WHEN 0 THEN lower(") + text
      + SQLFragment(") ELSE substr(lower(") + text + SQLFragment("), 1) || CAST(zeroblob(length(")
      + bytes + SQLFragment(") - ") + zero + SQLFragment(" + 1) AS TEXT) END")
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
    // Text and values grow in place: there may be thousands.
    var choice = SQLFragment("CASE")
    for (position, value) in list.enumerated() {
      choice.sql += " WHEN \(operand.sql) IS ? THEN \(position)"
      choice.values += operand.values
      choice.values.append(value)
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
      let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
      for index in bytes.indices { bytes[index] = index < end ? bytes[index].asciiFolded : 0 }
    case .some(.rtrim):
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    default: return value
    }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}
