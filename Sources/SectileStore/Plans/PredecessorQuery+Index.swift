internal import Foundation
package import GRDB
internal import SectileCore

extension PredecessorQuery {
  /// Returns the question for the rows before a row of a plan, where an index answers it.
  ///
  /// - Parameters:
  ///   - sql: The plan, its collations resolved.
  ///   - db: The database.
  /// - Returns: The question; nil where it would have to be answered by reading many rows.
  /// - Throws: What reading the schema throws.
  package static func answered(
    for sql: PlanSQL, in db: Database
  ) throws(StoreError) -> PredecessorQuery? {
    guard let columns = try sql.plan.tableColumns(in: db) else { return nil }
    let pinned = sql.plan.filterEqualities(in: columns)
    for pins in pinned.isEmpty ? [[]] : [pinned, []] {
      guard let query = sql.selectPredecessors(in: columns, among: pins) else { return nil }
      if let query = try query.usingIndexes(in: db) { return query }
    }
    return nil
  }

  /// Returns the question with only those steps that search an index, by all that they compare, and
  /// sort nothing; nil where too few are left.
  ///
  /// The cost of such a step does not depend on the number of rows but for the depth of the index.
  private func usingIndexes(in db: Database) throws(StoreError) -> PredecessorQuery? {
    let isSeparate = try Self.useIndexes(separateSteps, in: db)
    // Another version of SQLite may not search for several columns at once where ours does.
    if try !Self.useIndexes(steps, in: db) {
      guard isSeparate else { return nil }
      return PredecessorQuery(
        steps: separateSteps, separateSteps: separateSteps, passing: separateSteps,
        nullablePositions: nullablePositions, refusedNulls: refusedNulls,
        firstPosition: firstPosition)
    }
    return PredecessorQuery(
      steps: steps, separateSteps: separateSteps,
      passing: isSeparate ? separateSteps : steps, nullablePositions: nullablePositions,
      refusedNulls: isSeparate ? refusedNulls : nullablePositions,
      firstPosition: firstPosition)
  }

  private static func useIndexes(
    _ steps: [Step], in db: Database
  ) throws(StoreError) -> Bool {
    for step in steps {
      guard try step.searchedIndex(in: db) != nil else { return false }
    }
    return true
  }
}

extension PredecessorQuery.Step {
  /// Returns what SQLite searches for this step, in its own words: `COVERING INDEX track_on_title`,
  /// `INTEGER PRIMARY KEY`.
  ///
  /// Nil where it reads more rows than it is asked for, or sorts them.
  func searchedIndex(in db: Database) throws(StoreError) -> String? {
    let statement = try RawStatement.prepare("EXPLAIN QUERY PLAN \(sql)", on: db)
    defer { statement.finish() }
    var details: [String] = []
    while try statement.step() {
      guard case .text(let detail) = try statement.columnValue(at: 3) else { return nil }
      details.append(detail)
    }
    // A second line would be a sorter.
    guard details.count == 1, let search = search(in: details[0]) else { return nil }
    return search.range(of: " USING ", options: .backwards).map { String(search[$0.upperBound...]) }
  }

  /// What comes before the comparisons in `SEARCH table USING INDEX index (a=? AND b=? AND c<?)`;
  /// nil where the comparisons are not exactly those of this step.
  private func search(in detail: String) -> Substring? {
    var rest = detail[...]
    guard rest.hasPrefix("SEARCH "), rest.hasSuffix(")") else { return nil }
    rest = rest.dropLast()
    if let range {
      guard let found = Self.longest(range, endOf: rest) else { return nil }
      rest = rest.dropLast(found.count)
    }
    var remaining = equalities
    while !remaining.isEmpty {
      if rest.hasSuffix(" AND ") { rest = rest.dropLast(5) }
      // Of two names that fit, the longer one is meant: "b" is the end of "a b".
      let fitting = remaining.enumerated().compactMap { offset, forms in
        Self.longest(forms, endOf: rest).map { (offset, $0.count) }
      }
      guard let (found, count) = fitting.max(by: { $0.1 < $1.1 }) else { return nil }
      rest = rest.dropLast(count)
      remaining.remove(at: found)
    }
    return rest.hasSuffix(" (") ? rest.dropLast(2) : nil
  }

  /// The longest of several texts that a line ends with.
  private static func longest(_ forms: [String], endOf line: Substring) -> String? {
    forms.filter { line.hasSuffix($0) }.max { $0.count < $1.count }
  }
}
