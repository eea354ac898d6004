import GRDB
package import SectileCore

extension FetchPlan {
  /// Returns the collation under which SQLite orders by an expression that names none itself: a
  /// column of a view, or SQL that turns out to be a column.
  ///
  /// Only SQLite knows. It says so in the program it writes for the statement: the sorter's key is
  /// shown as `k(2,NOCASE,B)`, one collation for each term, `B` for `BINARY`.
  ///
  /// - Parameters:
  ///   - term: The term.
  ///   - explain: Runs an EXPLAIN statement and returns its rows.
  /// - Returns: The collation; nil for `BINARY`.
  /// - Throws: What `explain` throws.
  package func impliedCollation<Failure: Error>(
    of term: PlanSortTerm, explain: (_ sql: String) throws(Failure) -> [[StoredValue]]
  ) throws(Failure) -> TextCollation? {
    var plan = FetchPlan(table: table, keyColumns: keyColumns, itemColumns: [])
    plan.joins = joins
    // A plus sign keeps the collation, and keeps an index from taking the sorter's place.
    plan.sort = [PlanSortTerm(expression: SQLFragment("+") + term.expression.inParentheses)]
    for step in try explain("EXPLAIN \(PlanSQL(plan).selectRows.sql)") {
      guard step[1] == .text("SorterOpen"), case .text(let key) = step[5], key.hasPrefix("k(")
      else { continue }
      let terms = key.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false)
      guard terms.count > 1 else { return nil }
      // A descending term of a view's own order has a sign before its collation.
      return collation(named: String(terms[1].prefix { $0 != ")" }.drop { $0 == "-" }))
    }
    return nil
  }

  func impliedCollation(of term: PlanSortTerm, in db: Database) throws -> TextCollation? {
    try impliedCollation(of: term) { sql in
      let statement = try RawStatement.prepare(sql, on: db)
      defer { statement.reset() }
      var steps: [[StoredValue]] = []
      while try statement.step() {
        steps.append(try (0...5).map { try statement.columnValue(at: $0) })
      }
      return steps
    }
  }

  private func collation(named name: String) -> TextCollation? {
    switch name.uppercased() {
    case "", "B", "BINARY": nil
    case "NOCASE": .nocase
    case "RTRIM": .rtrim
    default: TextCollation(named: name)
    }
  }
}
