package import SectileCore

extension FetchPlan.SortTerm {
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

extension FetchPlan.Section {
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
  var effectiveOrder: [FetchPlan.SortTerm] {
    guard let fixedSections else { return order }
    return [FetchPlan.SortTerm(expression: position(in: fixedSections))]
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
    let places = list.enumerated().map { (position: $0, value: $1) }
    guard list.count > Self.searchedCount, areCollationsResolved,
      [nil, .binary, .nocase, .rtrim].contains(identity.collation)
    else { return choice(of: places[...]) }
    // Sorted as SQLite compares them; of values that are one section the first counts.
    var known: Set<StoredValue> = []
    let sorted = places.map { (position: $0.position, value: $0.value, key: folded($0.value)) }
      .filter { $0.value != .null && known.insert($0.key).inserted }
      .sorted { $0.key < $1.key }
      .map { (position: $0.position, value: $0.value) }
    let search = search(in: sorted[...])
    guard let null = list.firstIndex(of: .null) else { return search }
    return SQLFragment("CASE WHEN ") + operandOfComparison
      + SQLFragment(" IS NULL THEN \(null) ELSE ") + search + SQLFragment(" END")
  }

  /// So many values are compared one after the other.
  private static var searchedCount: Int { 8 }

  /// Compares with one value after the other.
  private func choice(of places: ArraySlice<(position: Int, value: StoredValue)>) -> SQLFragment {
    let operand = operandOfComparison
    // Text and values grow in place: there may be thousands.
    var choice = SQLFragment("CASE")
    for (position, value) in places {
      let mark = value == .null ? SQLFragment("?") : markOfMany
      choice.sql += " WHEN \(operand.sql) IS \(mark.sql) THEN \(position)"
      choice.values += operand.values + mark.values
      choice.values.append(value)
    }
    // CASE needs a branch, also for an empty list.
    choice.sql += places.isEmpty ? " WHEN 1 THEN 0 END" : " END"
    return choice
  }

  /// A mark for one of many values, which is not NULL, behind the values that it binds itself.
  ///
  /// SQLite takes what is constant out of a statement, and compares it with all that it took out
  /// before: for thousands of marks that would be seconds. This one is not constant.
  private var markOfMany: SQLFragment {
    guard (fixedSections?.count ?? 0) > Self.searchedCount else { return SQLFragment("?") }
    let operand = identity.column == nil ? identity.expression.inParentheses : identity.expression
    return SQLFragment("CASE WHEN ") + operand + SQLFragment(" IS NULL THEN 0 ELSE ? END")
  }

  /// Searches sorted values by halving.
  private func search(in places: ArraySlice<(position: Int, value: StoredValue)>) -> SQLFragment {
    guard places.count > Self.searchedCount else { return choice(of: places) }
    let middle = places.startIndex + places.count / 2
    // The plus sign keeps the collation, and keeps values in the classes by which they were sorted.
    let isBefore =
      operandOfComparison + SQLFragment(" < ") + markOfMany
      + SQLFragment(" THEN ", [places[middle].value])
    return SQLFragment("CASE WHEN +") + isBefore + search(in: places[..<middle])
      + SQLFragment(" ELSE ") + search(in: places[middle...]) + SQLFragment(" END")
  }
}

extension FetchPlan.Section {
  /// The fixed sections' identities, as the rows of the sections have them.
  package var foldedFixedSections: [StoredValue]? { fixedSections?.map(folded) }

  /// Returns a value as ``foldedIdentity`` would give it.
  package func folded(_ value: StoredValue) -> StoredValue {
    guard case .text(let text) = value, let folded = identity.collation?.folded(text) else {
      return value
    }
    return .text(folded)
  }
}
