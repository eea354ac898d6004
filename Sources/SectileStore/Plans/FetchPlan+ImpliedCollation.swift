import GRDB
package import SectileCore

extension FetchPlan {
  /// Returns the collation under which SQLite orders by an expression that names none itself: a
  /// column of a view or a query, or SQL that turns out to be a column.
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
    of term: SortTerm, explain: (_ sql: String) throws(Failure) -> [[StoredValue]]
  ) throws(Failure) -> TextCollation? {
    var plan = FetchPlan(table: table, keyColumns: keyColumns, itemColumns: [])
    (plan.query, plan.joins) = (query, joins)
    // A plus sign keeps the collation, and keeps an index from taking the sorter's place.
    plan.sort = [SortTerm(expression: SQLFragment("+") + term.expression.inParentheses)]
    // Values need not be bound to be explained. Views and queries may sort by themselves; they do
    // so before.
    let start = "k(\(keyColumns.count + 1),"
    let sorter = try explain("EXPLAIN \(PlanSQL(plan).selectRows.sql)").last { step in
      guard step[1] == .text("SorterOpen"), case .text(let key) = step[5] else { return false }
      return key.hasPrefix(start)
    }
    guard case .text(let key)? = sorter?[5] else { return nil }
    let first = key.dropFirst(start.count).prefix { $0 != "," && $0 != ")" }
    return collation(named: String(first))
  }

  func impliedCollation(of term: SortTerm, in db: Database) throws -> TextCollation? {
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
