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

  /// Whether the values of the key stand before the others, by numbers.
  var isKeyFirst: Bool { keyParameter < valueParameter }

  private init(_ other: PlanStatement, values: [StoredValue]) {
    sql = other.sql
    self.values = values
    valueParameter = other.valueParameter
    keyParameter = other.keyParameter
  }

  /// Returns the statement with a member's value in the place of that of all members of a family.
  func ofMember(_ value: StoredValue) -> PlanStatement {
    PlanStatement(self, values: values.ofMember(value))
  }

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

  /// Creates a statement of one SELECT that calls the values of the key `?1`, `?2` …, as often as
  /// it likes.
  ///
  /// A mark without a number is one more than those before it: so the numbers are named first.
  init(_ select: SQLFragment, numberingKey columnCount: Int) {
    let numbers = "WITH \(SQLName.quote("sectile key")) AS (SELECT ?\(columnCount)) "
    self.init(SQLFragment(numbers) + select, behindKeys: columnCount)
  }
}
