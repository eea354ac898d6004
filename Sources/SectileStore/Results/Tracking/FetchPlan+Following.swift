import GRDB
import SectileCore

extension FetchPlan {
  /// Returns the plan with a dependency on every table its statement reads that it does not name:
  /// the tables behind a view, and those that raw SQL mentions.
  ///
  /// SQLite's own program for the statement tells which tables it opens.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the statement: a table or column that
  ///   does not exist, a syntax error in a raw condition.
  func followingWhatItReads(in db: Database) throws -> FetchPlan {
    let query = PlanSQL(self).selectRows
    let statement = try RawStatement.prepare("EXPLAIN \(query.sql)", on: db)
    try statement.bindAll(query.values)
    var plan = self
    var known = Set(dependencies.map { $0.table.lowercased() })
    known.insert(table.lowercased())
    while try statement.step() {
      // Columns: addr, opcode, p1, p2, p3, …; p2 is the root page, p3 the database, 0 for main.
      guard case .text("OpenRead") = try statement.columnValue(at: 1),
        statement.castInteger(at: 4) == 0
      else { continue }
      let rootPage = statement.castInteger(at: 3)
      guard let read = try Self.table(withRootPage: rootPage, in: db),
        known.insert(read.lowercased()).inserted
      else { continue }
      plan.dependencies.append(
        PlanDependency(table: read, keyColumns: [], affected: .everything))
    }
    return plan
  }

  private static func table(withRootPage page: Int64, in db: Database) throws -> String? {
    let statement = try RawStatement.cached(
      "SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?", on: db)
    defer { statement.reset() }
    try statement.bindAll([.integer(page)])
    guard try statement.step(), case .text(let name) = try statement.columnValue(at: 0) else {
      return nil
    }
    return name
  }
}
