internal import SectileCore

/// A condition of a filter that pins a column of the base table to one value.
///
/// An index may begin with such columns: all rows the filter wants stand together in it.
struct FilterEquality: Hashable, Sendable {
  /// The column.
  let column: TableColumns.Column
  /// The condition, as the filter has it.
  let condition: SQLFragment
}

extension FetchPlan {
  /// Returns the conditions `column = value` that every wanted row meets.
  ///
  /// Only what is plainly written so is found: the filter is such a condition, or conditions of
  /// which some are joined by AND. Each column comes once.
  func filterEqualities(in columns: TableColumns) -> [FilterEquality] {
    guard let filter, let parts = SQLConjunction(filter)?.parts else { return [] }
    var found: [FilterEquality] = []
    for part in parts {
      guard let name = equalColumn(of: part.tokens), let column = columns.column(named: name),
        !found.contains(where: { $0.column == column })
      else { continue }
      found.append(FilterEquality(column: column, condition: part.fragment))
    }
    return found
  }

  /// The name of the column in `column = value` or `table.column = value`.
  private func equalColumn(of tokens: [SQLToken]) -> String? {
    guard let (name, rest) = leadingColumn(of: tokens) else { return nil }
    switch (rest.first, rest.dropFirst().first, rest.count) {
    case (.symbol("="), .some(let value), 2) where value.isValue: return name
    case (.word("IS"), .some(let value), 2) where value.isValue || value == .word("NULL"):
      return name
    default: return nil
    }
  }

  /// The name of the base table's column that a condition begins with, and what stands behind it.
  func leadingColumn(of tokens: [SQLToken]) -> (name: String, rest: ArraySlice<SQLToken>)? {
    var tokens = tokens[...]
    guard var name = tokens.popFirst()?.name else { return nil }
    if tokens.first == .symbol(".") {
      guard name.lowercased() == table.lowercased(), let column = tokens.dropFirst().first?.name
      else { return nil }
      name = column
      tokens = tokens.dropFirst(2)
    }
    return (name, tokens)
  }
}
