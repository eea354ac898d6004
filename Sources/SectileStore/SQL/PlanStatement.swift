package import SectileCore

/// A statement about one row or several, with its own values bound first and the keys after them.
package struct PlanStatement: Hashable, Sendable {
  /// The SQL text; its last `?` marks stand for the keys.
  package let sql: String
  /// The values before the keys.
  package let values: [StoredValue]

  /// The index, from 1 as SQLite counts, at which the first key's first value is bound.
  package var keyParameter: Int { values.count + 1 }

  init(_ fragment: SQLFragment) {
    sql = fragment.sql
    values = fragment.values
  }
}
