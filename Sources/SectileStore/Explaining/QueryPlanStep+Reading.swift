internal import GRDB
internal import SectileCore

extension QueryPlanStep {
  /// Asks SQLite how it would run a statement.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the statement.
  static func steps(of query: SQLFragment, in db: Database) throws(StoreError) -> [QueryPlanStep] {
    let statement = try RawStatement.prepare("EXPLAIN QUERY PLAN \(query.sql)", on: db)
    defer { statement.finish() }
    try statement.bindAll(query.values)
    var lines: [Line] = []
    while try statement.step() {
      // Columns: id, parent, an unused one, detail.
      guard case .text(let detail) = try statement.columnValue(at: 3) else { continue }
      lines.append(
        Line(
          id: statement.castInteger(at: 0), parent: statement.castInteger(at: 1), detail: detail))
    }
    return steps(below: 0, in: lines)
  }

  private struct Line {
    let id: Int64
    let parent: Int64
    let detail: String
  }

  private static func steps(below parent: Int64, in lines: [Line]) -> [QueryPlanStep] {
    lines.filter { $0.parent == parent && $0.id != parent }.map { line in
      QueryPlanStep(detail: line.detail, steps: steps(below: line.id, in: lines))
    }
  }
}
