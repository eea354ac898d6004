import GRDB
import SectileCore

extension FetchPlan {
  /// Returns the plan with a dependency on every table its statement reads that it does not name:
  /// the tables behind a view, and those that raw SQL mentions.
  ///
  /// SQLite's own program for the statement tells which tables it opens.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the statement: a table or column that
  ///   does not exist, a syntax error in a raw condition; `invalidRequest` where it reads a table that is
  ///   temporary or of another database.
  func followingWhatItReads(in db: Database) throws -> FetchPlan {
    var plan = try following(PlanSQL(self).selectRows, in: db)
    if let conditions = PlanSQL(self).selectConditions {
      plan = try plan.following(conditions, countsRows: true, in: db)
    }
    return plan
  }

  /// Returns the plan with a dependency on every table that a statement reads.
  ///
  /// - Parameters:
  ///   - query: The statement.
  ///   - countsRows: Whether a change of another table may matter though no row of the plan changes by it.
  ///   - db: The database.
  /// - Returns: The plan.
  /// - Throws: See ``followingWhatItReads(in:)``.
  private func following(
    _ query: SQLFragment, countsRows: Bool = false, in db: Database
  ) throws -> FetchPlan {
    let statement = try RawStatement.prepare("EXPLAIN \(query.sql)", on: db)
    try statement.bindAll(query.values)
    var plan = self
    var known = Set(
      dependencies.lazy.filter { !countsRows || $0.affected == .everything }
        .map { $0.table.lowercased() })
    known.insert(table.lowercased())
    var tables: [String] = []
    while try statement.step() {
      // Columns: addr, opcode, p1, p2, p3, …; p2 is the root page, p3 the database, 0 for main.
      switch try statement.columnValue(at: 1) {
      case .text("OpenRead") where statement.castInteger(at: 4) == 0:
        tables += try Self.table(withRootPage: statement.castInteger(at: 3), in: db)
      case .text("OpenRead"): throw Self.readsOtherDatabase(table)
      case .text("VOpen"):
        tables += try Self.shadowTables(namedIn: query.sql, in: db)
      default: continue
      }
    }
    for table in tables where known.insert(table.lowercased()).inserted {
      plan.dependencies.append(
        PlanDependency(table: table, keyColumns: [], affected: .everything))
    }
    return plan
  }

  private static func readsOtherDatabase(_ table: String) -> StoreError {
    .invalidRequest(
      "A request for \(table) reads a temporary table, or one of another database.",
      hint:
        "Live results follow the tables of the store's own file: write main. before the table's "
        + "name, or copy the rows there.")
  }

  /// The tables in which the virtual tables that a text names keep their contents.
  ///
  /// Writing to a virtual table is seen there only.
  private static func shadowTables(namedIn sql: String, in db: Database) throws -> [String] {
    let statement = try RawStatement.cached(
      """
      SELECT shadow.name FROM pragma_table_list AS shadow, pragma_table_list AS virtual
      WHERE shadow.type = 'shadow' AND virtual.type = 'virtual'
        AND shadow.name LIKE replace(virtual.name, '_', '\\_') || '\\_%' ESCAPE '\\'
        AND instr(lower(?), lower(virtual.name)) > 0
      """, on: db)
    defer { statement.reset() }
    try statement.bindAll([.text(sql)])
    var names: [String] = []
    while try statement.step() {
      if case .text(let name) = try statement.columnValue(at: 0) { names.append(name) }
    }
    return names
  }

  private static func table(withRootPage page: Int64, in db: Database) throws -> [String] {
    let statement = try RawStatement.cached(
      "SELECT tbl_name FROM sqlite_schema WHERE rootpage = ?", on: db)
    defer { statement.reset() }
    try statement.bindAll([.integer(page)])
    guard try statement.step(), case .text(let name) = try statement.columnValue(at: 0) else {
      return []
    }
    return [name]
  }
}
