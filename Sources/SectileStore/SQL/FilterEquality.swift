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
  /// Only what is plainly written so is found: the filter is such a condition, or conditions of which
  /// some are joined by AND. Each column comes once.
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
    var tokens = tokens[...]
    guard var name = tokens.popFirst()?.name else { return nil }
    if tokens.first == .symbol(".") {
      guard name.lowercased() == table.lowercased(), let column = tokens.dropFirst().first?.name
      else { return nil }
      name = column
      tokens = tokens.dropFirst(2)
    }
    switch (tokens.first, tokens.dropFirst().first, tokens.count) {
    case (.symbol("="), .some(let value), 2) where value.isValue: return name
    case (.word("IS"), .some(let value), 2) where value.isValue || value == .word("NULL"):
      return name
    default: return nil
    }
  }
}

/// The parts of a condition that must all hold.
private struct SQLConjunction {
  struct Part {
    var tokens: [SQLToken] = []
    var fragment = SQLFragment("")
  }

  private(set) var parts: [Part] = []

  /// Takes a condition apart; nil where AND may mean something else, or a mark does not mean the next
  /// value.
  init?(_ condition: SQLFragment) {
    guard let tokens = SQLToken.tokens(of: condition.sql) else { return nil }
    var values = condition.values[...]
    var part = Part()
    var depth = 0
    for (token, text) in tokens {
      switch token {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .word("AND") where depth == 0:
        parts.append(part)
        part = Part()
        continue
      case .word("OR"), .word("BETWEEN"), .word("CASE"):
        if depth == 0 { return nil }
      case .mark:
        guard let value = values.popFirst() else { return nil }
        part.fragment.values.append(value)
      default: break
      }
      part.tokens.append(token)
      part.fragment.sql += part.fragment.sql.isEmpty ? text : " \(text)"
    }
    guard depth == 0, values.isEmpty else { return nil }
    parts.append(part)
    for index in parts.indices { parts[index].unwrap() }
  }
}

extension SQLConjunction.Part {
  /// Takes away parentheses around all of it.
  fileprivate mutating func unwrap() {
    while tokens.first == .symbol("("), tokens.last == .symbol(")"),
      !tokens.dropFirst().dropLast().contains(where: { $0 == .symbol("(") || $0 == .symbol(")") })
    {
      tokens = Array(tokens.dropFirst().dropLast())
    }
  }
}
