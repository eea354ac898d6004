internal import GRDB
internal import SectileCore

extension QueryPlanStep {
  /// Asks SQLite how it would run a statement.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the statement.
  static func steps(of query: SQLFragment, in db: Database) throws(StoreError)
    -> [QueryPlanStep]
  {
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
    return tree(of: lines)
  }

  /// A row of `EXPLAIN QUERY PLAN`.
  package struct Line {
    let id: Int64
    let parent: Int64
    let detail: String

    /// Creates a row; a parent of zero is none.
    package init(id: Int64, parent: Int64, detail: String) {
      self.id = id
      self.parent = parent
      self.detail = detail
    }
  }

  /// Returns the tree that rows make up; what is not below the root is left out.
  package static func tree(of lines: [Line]) -> [QueryPlanStep] {
    var children = Dictionary(grouping: lines, by: \.parent)
    func steps(below parent: Int64) -> [QueryPlanStep] {
      // Taken out, so that rows which are each other's parents end as well.
      (children.removeValue(forKey: parent) ?? []).map { line in
        QueryPlanStep(detail: line.detail, steps: steps(below: line.id))
      }
    }
    return steps(below: 0)
  }
}
