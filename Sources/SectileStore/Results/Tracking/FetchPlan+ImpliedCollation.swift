import GRDB
import SectileCore

extension FetchPlan {
  /// Returns the collation under which SQLite orders by an expression that names none itself: a
  /// column of a view, or SQL that turns out to be a column.
  ///
  /// Nil for `BINARY`.
  ///
  /// Only SQLite knows. It says so in the program it writes for the statement: the sorter's key is
  /// shown as `k(2,NOCASE,B)`, one collation for each term, `B` for `BINARY`.
  func impliedCollation(of term: PlanSortTerm, in db: Database) throws -> TextCollation? {
    var plan = FetchPlan(table: table, keyColumns: keyColumns, itemColumns: [])
    plan.joins = joins
    // A plus sign keeps the collation, and keeps an index from taking the sorter's place.
    plan.sort = [PlanSortTerm(expression: SQLFragment("+") + term.expression.inParentheses)]
    let statement = try RawStatement.prepare("EXPLAIN \(PlanSQL(plan).selectRows.sql)", on: db)
    defer { statement.reset() }
    while try statement.step() {
      guard case .text("SorterOpen") = try statement.columnValue(at: 1),
        case .text(let key) = try statement.columnValue(at: 5), key.hasPrefix("k(")
      else { continue }
      let terms = key.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false)
      guard terms.count > 1 else { return nil }
      return collation(named: String(terms[1].prefix { $0 != ")" }))
    }
    return nil
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
