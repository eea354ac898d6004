package import SectileCore

/// A statement about one row or several, with values of its own and the keys of the rows.
package struct PlanStatement: Hashable, Sendable {
  /// The SQL text.
  package let sql: String
  /// The values that are not those of keys.
  package let values: [StoredValue]
  /// The index, from 1 as SQLite counts, at which the first of ``values`` is bound.
  package let valueParameter: Int
  /// The index, from 1 as SQLite counts, at which the first key's first value is bound.
  package let keyParameter: Int

  /// Creates a statement whose last `?` marks stand for the keys.
  init(_ fragment: SQLFragment) {
    sql = fragment.sql
    values = fragment.values
    valueParameter = 1
    keyParameter = values.count + 1
  }

  /// Creates a statement whose first `?` marks, so many, stand for the keys.
  init(_ fragment: SQLFragment, behindKeys keyCount: Int) {
    sql = fragment.sql
    values = fragment.values
    valueParameter = keyCount + 1
    keyParameter = 1
  }
}
