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
    guard let columns = try TableColumns(of: sql.plan.table, in: db),
      let query = sql.selectPredecessors(in: columns), try query.usesIndex(in: db)
    else { return nil }
    return query
  }

  /// Returns whether every step searches an index, by all that it compares, and sorts nothing.
  ///
  /// - Parameter db: The database.
  /// - Returns: Whether the cost of a step does not depend on the number of rows but for the depth
  ///   of the index.
  /// - Throws: Where SQLite refuses a step: the table or a column is not there.
  package func usesIndex(in db: Database) throws(StoreError) -> Bool {
    for step in steps {
      guard try step.usesIndex(in: db) else { return false }
    }
    return true
  }
}

extension PredecessorQuery.Step {
  func usesIndex(in db: Database) throws(StoreError) -> Bool {
    let statement = try RawStatement.prepare("EXPLAIN QUERY PLAN \(sql)", on: db)
    defer { statement.finish() }
    var details: [String] = []
    while try statement.step() {
      guard case .text(let detail) = try statement.columnValue(at: 3) else { return false }
      details.append(detail)
    }
    // A second line would be a sorter.
    return details.count == 1 && isSearch(details[0])
  }

  /// Whether a line reads `SEARCH table USING INDEX index (a=? AND b=? AND c<?)`, with all the
  /// comparisons of this step and no others.
  private func isSearch(_ detail: String) -> Bool {
    var rest = detail.lowercased()[...]
    guard rest.hasPrefix("search "), rest.hasSuffix(")") else { return false }
    rest = rest.dropLast()
    if let range {
      guard let found = Self.longest(range, endOf: rest) else { return false }
      rest = rest.dropLast(found.count)
    }
    var remaining = equalities
    while !remaining.isEmpty {
      if rest.hasSuffix(" and ") { rest = rest.dropLast(5) }
      // Of two names that fit, the longer one is meant: "b" is the end of "a b".
      let fitting = remaining.enumerated().compactMap { offset, forms in
        Self.longest(forms, endOf: rest).map { (offset, $0.count) }
      }
      guard let (found, count) = fitting.max(by: { $0.1 < $1.1 }) else { return false }
      rest = rest.dropLast(count)
      remaining.remove(at: found)
    }
    return rest.hasSuffix(" (")
  }

  /// The longest of several texts that a line ends with.
  private static func longest(_ forms: [String], endOf line: Substring) -> String? {
    forms.map { $0.lowercased() }.filter { line.hasSuffix($0) }.max { $0.count < $1.count }
  }
}
