package import SectileCore

/// How to find, with an index, the rows that stand before a row inside its section.
///
/// The steps are run one after the other. Each yields rows, nearest first, and every row of a step
/// is nearer than all rows of the steps after it. The caller goes on until it meets a row that it
/// holds, because the plan's filter is no part of the question, unless an index begins with columns
/// that the filter pins to one value: other rows of the base table are found, too. When all steps
/// have been run to their end, the row is the first of its section.
///
/// ```sql
/// -- the row before ('jazz', 'Blue in Green', 7), by genre, title, id
/// SELECT id, title FROM track WHERE genre IS ?1 AND (title, id) < (?2, ?3 COLLATE BINARY)
///   ORDER BY title DESC, id DESC;
/// SELECT id, title FROM track WHERE genre IS ?1 AND title IS NULL ORDER BY id DESC;
/// ```
///
/// A comparison with NULL is neither true nor false; therefore rows whose value is NULL are found
/// by a step of their own, and columns that differ in direction or may be NULL are not compared
/// together.
///
/// The question and its steps are objects: they are asked in each commit that moves a row.
package final class PredecessorQuery: Sendable {
  /// One statement, which yields the key columns, and the column that decides first behind them.
  package final class Step: Sendable {
    /// The SQL text.
    package let sql: String
    /// The values of the first `?` marks, the same for all rows: what the filter pins columns to.
    package let values: [StoredValue]
    /// Which of the row's values goes into each `?` after those: positions in
    /// ``PlanOrdering/terms``.
    package let positions: [Int]

    /// The position at which the found rows are NULL; nil where the step does not ask for NULL.
    let nullPosition: Int?
    /// The comparisons by `=` that a search of an index must show, each in the forms it may take.
    let equalities: [[String]]
    /// The comparison by `<` or `>` that it must show after them, in the forms it may take.
    let range: [String]?

    init(
      sql: String, values: [StoredValue], positions: [Int], nullPosition: Int?,
      equalities: [[String]], range: [String]?
    ) {
      self.sql = sql
      self.values = values
      self.positions = positions
      self.nullPosition = nullPosition
      self.equalities = equalities
      self.range = range
    }

    func ofMember(_ value: StoredValue) -> Step {
      Step(
        sql: sql, values: values.ofMember(value), positions: positions, nullPosition: nullPosition,
        equalities: equalities, range: range)
    }
  }

  /// The steps for rows without NULL, as few as possible.
  let steps: [Step]
  /// The steps for rows with NULL, which compare one column each.
  let separateSteps: [Step]
  /// The steps that pass many rows at the least cost: where one column is compared, SQLite compares
  /// it once for all of them, and several columns once for each.
  let passing: [Step]
  /// The positions at which there may be NULL.
  let nullablePositions: Set<Int>
  /// The positions at which NULL cannot be sought from.
  let refusedNulls: Set<Int>
  /// The position, in ``PlanOrdering/terms``, of the column that decides first inside a section;
  /// nil where a section's identity decides all.
  package let firstPosition: Int?

  init(
    steps: [Step], separateSteps: [Step], passing: [Step], nullablePositions: Set<Int>,
    refusedNulls: Set<Int>, firstPosition: Int?
  ) {
    self.firstPosition = firstPosition
    self.passing = passing
    self.steps = steps
    self.separateSteps = separateSteps
    self.nullablePositions = nullablePositions
    self.refusedNulls = refusedNulls
  }

  /// Returns the question with a member's value in the place of that of all members of a family;
  /// the same where no step names it.
  func ofMember(_ value: StoredValue) -> PredecessorQuery {
    let all = steps + separateSteps + passing
    guard all.contains(where: { $0.values.contains(FetchPlan.anyValue) }) else { return self }
    return PredecessorQuery(
      steps: steps.map { $0.ofMember(value) },
      separateSteps: separateSteps.map { $0.ofMember(value) },
      passing: passing.map { $0.ofMember(value) }, nullablePositions: nullablePositions,
      refusedNulls: refusedNulls, firstPosition: firstPosition)
  }

  /// Returns the steps that find the rows before a row.
  ///
  /// - Parameter isNull: Whether the row's value at a position in ``PlanOrdering/terms`` is NULL.
  /// - Returns: The steps; nil where the row's NULL comes last in the order, after everything that
  ///   an index would have to be searched for.
  package func steps(whereNull isNull: (Int) -> Bool) -> [Step]? {
    guard nullablePositions.contains(where: isNull) else { return steps }
    guard !refusedNulls.contains(where: isNull) else { return nil }
    // Two rows that are both NULL do not come before one another there.
    return separateSteps.filter { $0.nullPosition.map(isNull) != true }
  }

  /// Returns the steps that find the rows before a row where many of them are wanted.
  ///
  /// - Parameter isNull: Whether the row's value at a position in ``PlanOrdering/terms`` is NULL.
  /// - Returns: The steps, and the number of the first of them, counted after those of
  ///   ``steps(whereNull:)``; nil where it returns nil.
  package func passingSteps(
    whereNull isNull: (Int) -> Bool
  ) -> (steps: [Step], firstNumber: Int)? {
    guard !refusedNulls.contains(where: isNull) else { return nil }
    return (
      passing.filter { $0.nullPosition.map(isNull) != true },
      max(steps.count, separateSteps.count)
    )
  }
}
