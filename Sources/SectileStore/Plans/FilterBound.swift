internal import SectileCore

/// A condition of a filter that compares a column of the base table with a value.
///
/// Of many rows that the filter does not want, such a condition says so without SQLite.
struct FilterBound: Hashable, Sendable {
  /// How the column is compared with the value.
  enum Comparison: Sendable {
    case equal
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// The column.
  let column: TableColumns.Column
  let comparison: Comparison
  /// The value; never NULL.
  let value: StoredValue

  /// Whether a row with this value in the column is certainly not wanted.
  ///
  /// Two integers compare alike everywhere, and two texts are equal by their bytes where no
  /// collation says otherwise. Everything else is left to SQLite.
  func excludes(_ stored: RawColumn) -> Bool {
    switch (stored, value) {
    case (.null, _): true
    case (.integer(let stored), .integer(let value)): !holds(stored, value)
    case (.text, .text): comparison == .equal && column.collation == .binary && !stored.holds(value)
    default: false
    }
  }

  /// Whether a row with this value in the column certainly meets the condition.
  func includes(_ stored: RawColumn) -> Bool {
    switch (stored, value) {
    case (.integer(let stored), .integer(let value)): holds(stored, value)
    case (.text, .text): comparison == .equal && stored.holds(value)
    default: false
    }
  }

  private func holds(_ stored: Int64, _ value: Int64) -> Bool {
    switch comparison {
    case .equal: stored == value
    case .less: stored < value
    case .lessOrEqual: stored <= value
    case .greater: stored > value
    case .greaterOrEqual: stored >= value
    }
  }
}

extension FetchPlan {
  /// Returns the conditions `column < value` and the like that every wanted row meets.
  ///
  /// Only what is plainly written so, with a bound value, is found.
  func filterBounds(in columns: TableColumns) -> [FilterBound] {
    guard let filter, let parts = SQLConjunction(filter)?.parts else { return [] }
    return parts.compactMap { part in
      // SQLite tells names apart that differ in the case of other letters than those of ASCII.
      guard let (name, rest) = leadingColumn(of: part.tokens), name.utf8.allSatisfy({ $0 < 0x80 }),
        let column = columns.column(named: name), rest.last == .mark,
        let comparison = FilterBound.Comparison(rest.dropLast()),
        part.fragment.values.count == 1, part.fragment.values[0] != .null
      else { return nil }
      return FilterBound(column: column, comparison: comparison, value: part.fragment.values[0])
    }
  }
}

extension FilterBound.Comparison {
  /// The comparison that an operator means; nil for any other.
  fileprivate init?(_ tokens: ArraySlice<SQLToken>) {
    switch Array(tokens) {
    case [.symbol("=")], [.word("IS")]: self = .equal
    case [.symbol("<")]: self = .less
    case [.symbol("<"), .symbol("=")]: self = .lessOrEqual
    case [.symbol(">")]: self = .greater
    case [.symbol(">"), .symbol("=")]: self = .greaterOrEqual
    default: return nil
    }
  }
}
