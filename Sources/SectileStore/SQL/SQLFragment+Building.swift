extension SQLFragment {
  /// Creates one fragment from several.
  package init(joining fragments: [SQLFragment], separator: String = ", ") {
    self.init(
      fragments.map(\.sql).joined(separator: separator), fragments.flatMap(\.values))
  }

  /// Returns two fragments, one after the other.
  package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(left.sql + right.sql, left.values + right.values)
  }

  /// The fragment in parentheses.
  ///
  /// A comment at its end does not swallow the closing one.
  package var inParentheses: SQLFragment {
    SQLFragment("(\(sql)\(sql.contains("--") ? "\n" : ""))", values)
  }
}

/// A statement that grows at its end.
struct SQLBuilder {
  private(set) var fragment: SQLFragment

  init(_ verb: String, _ parts: SQLFragment...) {
    fragment = SQLFragment(verb)
    for part in parts { append(part) }
  }

  mutating func append(_ part: SQLFragment) {
    fragment.sql += part.sql
    fragment.values += part.values
  }
}
