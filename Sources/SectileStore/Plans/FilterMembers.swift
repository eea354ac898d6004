internal import SectileCore

/// A condition of a filter that a column of the base table is one of several values:
/// `id IN (?, ?, …)`.
///
/// SQLite sorts the list anew each time it looks a row up; of a row that is not in it, a set says
/// so.
struct FilterMembers: Hashable, Sendable {
  /// From so many values on SQLite takes longer for the list than for the rest of a look-up.
  static let longCount = 32

  /// The column.
  let column: TableColumns.Column
  /// The values: integers alone, or texts alone.
  let members: Set<StoredValue>
  private let areTexts: Bool

  /// Nil for values of other classes, which only SQLite compares.
  init?(_ column: TableColumns.Column, _ values: [StoredValue]) {
    // A NULL in the list makes no row wanted.
    members = Set(values.filter { $0 != .null })
    self.column = column
    if members.allSatisfy({ if case .integer = $0 { true } else { false } }) {
      areTexts = false
    } else if column.collation == .binary,
      members.allSatisfy({ if case .text = $0 { true } else { false } })
    {
      areTexts = true
    } else {
      return nil
    }
  }

  /// Whether a row with this value in the column is certainly not wanted.
  func excludes(_ stored: RawColumn) -> Bool {
    switch stored {
    case .null: return true
    case .integer where !areTexts, .text where areTexts:
      return stored.value.map { !members.contains($0) } ?? false
    case .integer, .real, .text, .blob: return false
    }
  }
}

extension FetchPlan {
  /// Returns the conditions `column IN (value, …)` that every wanted row meets.
  ///
  /// Only what is plainly written so, with bound values, is found.
  func filterMembers(in columns: TableColumns) -> [FilterMembers] {
    guard let filter, let parts = SQLConjunction(filter)?.parts else { return [] }
    return parts.compactMap { part in
      var tokens = part.tokens[...]
      while tokens.first == .symbol("("), tokens.last == .symbol(")") {
        tokens = tokens.dropFirst().dropLast()
      }
      guard let (name, rest) = leadingColumn(of: Array(tokens)), Self.isList(rest),
        name.utf8.allSatisfy({ $0 < 0x80 }), let column = columns.column(named: name)
      else { return nil }
      return FilterMembers(column, part.fragment.values)
    }
  }

  /// Whether tokens are `IN (?, ?, …)`.
  private static func isList(_ tokens: ArraySlice<SQLToken>) -> Bool {
    guard tokens.count >= 4, tokens.first == .word("IN"), tokens.last == .symbol(")"),
      tokens.dropFirst().first == .symbol("(")
    else { return false }
    return tokens.dropFirst(2).dropLast().enumerated().allSatisfy { offset, token in
      token == (offset.isMultiple(of: 2) ? .mark : .symbol(","))
    } && tokens.count.isMultiple(of: 2)
  }
}
