package import SectileCore

/// How to find, with an index, the rows that stand before a row inside its section.
///
/// The steps are run one after the other. Each yields keys, nearest first, and every row of a step is
/// nearer than all rows of the steps after it. The caller goes on until it meets a row that it holds,
/// because the plan's filter is no part of the question, unless an index begins with columns that the
/// filter pins to one value: other rows of the base table are found, too.
/// When all steps have been run to their end, the row is the first of its section.
///
/// ```sql
/// -- the row before ('jazz', 'Blue in Green', 7), by genre, title, id
/// SELECT id FROM track WHERE genre IS ?1 AND title IS ?2 AND id < ?3 ORDER BY id DESC;
/// SELECT id FROM track WHERE genre IS ?1 AND title < ?2 ORDER BY title DESC, id DESC;
/// SELECT id FROM track WHERE genre IS ?1 AND title IS NULL ORDER BY id DESC;
/// ```
///
/// There are several steps, because SQLite compares row values with an index only as far as no row id
/// and no COLLATE is among them, and because a comparison with NULL is neither true nor false.
package struct PredecessorQuery: Hashable, Sendable {
  /// One statement, which yields the key columns only.
  package struct Step: Hashable, Sendable {
    /// The SQL text.
    package let sql: String
    /// The values of the first `?` marks, the same for all rows: what the filter pins columns to.
    package let values: [StoredValue]
    /// Which of the row's values goes into each `?` after those: positions in
    /// ``PlanOrdering/terms``.
    package let positions: [Int]
    /// The position whose value must not be NULL for this step to be run; nil where it does not
    /// matter.
    ///
    /// Such a step yields the rows whose value is NULL, which do not come before one another.
    package let skippedWhenNull: Int?

    /// The comparisons by `=` that a search of an index must show, each in the forms it may take.
    let equalities: [[String]]
    /// The comparison by `<` or `>` that it must show after them, in the forms it may take.
    let range: [String]?

    /// The index, from 1 as SQLite counts, at which the first of the row's values is bound.
    package var firstParameter: Int { values.count + 1 }
  }

  /// The statements, nearest rows first.
  package let steps: [Step]
  /// The positions in ``PlanOrdering/terms`` at which NULL cannot be sought from: NULL comes last
  /// there, after everything that an index would have to be searched for.
  package let refusedNulls: Set<Int>

  /// Returns whether the rows before a row can be found.
  ///
  /// - Parameter isNull: Whether the row's value at a position in ``PlanOrdering/terms`` is NULL.
  /// - Returns: Whether the steps answer for such a row.
  package func canSeek(whereNull isNull: (Int) -> Bool) -> Bool {
    !refusedNulls.contains(where: isNull)
  }
}
