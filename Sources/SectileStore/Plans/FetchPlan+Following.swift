import GRDB
import SectileCore

extension FetchPlan {
  /// Returns the plan with a dependency on every table its statement reads that it does not name:
  /// the tables behind a view, and those that raw SQL mentions.
  ///
  /// SQLite's own program for the statement tells which tables it opens.
  ///
  /// - Throws: A ``StoreError`` where SQLite does not accept the statement: a table or column that
  ///   does not exist, a syntax error in a raw condition; `invalidRequest` where it reads a table
  ///   that is temporary or of another database, or binds more values than SQLite does, and for a
  ///   query that is none, or lacks a column.
  func followingWhatItReads(in db: Database) throws -> FetchPlan {
    try checkQuery(in: db)
    var plan = try followingLinks(in: db).following(PlanSQL(self).selectRows, in: db)
    if let conditions = PlanSQL(self).selectConditions {
      plan = try plan.following(conditions, countsRows: true, in: db)
    }
    return plan
  }

  /// Returns the plan with a dependency on every table that a statement reads.
  ///
  /// - Parameters:
  ///   - query: The statement.
  ///   - countsRows: Whether a change of another table may matter though no row of the plan changes
  ///     by it.
  ///   - db: The database.
  /// - Returns: The plan.
  /// - Throws: See ``followingWhatItReads(in:)``.
  private func following(
    _ query: SQLFragment, countsRows: Bool = false, in db: Database
  ) throws -> FetchPlan {
    try checkBoundValues(query.values.count, in: db)
    let statement = try RawStatement.prepare("EXPLAIN \(query.sql)", on: db)
    try statement.bindAll(query.values)
    var plan = self
    var known = Set(
      dependencies.lazy.filter { !countsRows || $0.affected == .everything }
        .map { $0.table.lowercased() })
    if let storedTable { known.insert(storedTable.lowercased()) }
    var tables: [String] = []
    var functions = StatementFunctions(query)
    var virtualCount = 0
    while try statement.step() {
      // Columns: addr, opcode, p1, p2, p3, …; p2 is the root page, p3 the database, 0 for main.
      switch try statement.columnValue(at: 1) {
      case .text("OpenRead") where statement.castInteger(at: 4) == 0:
        tables += try Self.table(withRootPage: statement.castInteger(at: 3), in: db)
      case .text("OpenRead"): throw Self.readsOtherDatabase(table)
      case .text("VOpen"): virtualCount += 1
      case let opcode: functions.note(opcode, try statement.columnValue(at: 5))
      }
    }
    if plan.reasonForUnwrittenChanges == nil {
      plan.reasonForUnwrittenChanges = try functions.reasonForOtherValues(in: db)
    }
    plan.followTimes(functions, in: db)
    if virtualCount > 0 {
      // The plan knows of those that it asks about its own rows; where there are more, something
      // else is asked.
      let isKnown = !countsRows && virtualCount == fullTextTables.count
      let byRow = try isKnown ? fullTextTables.filter { try Self.keepsSizes($0, in: db) } : []
      tables += try Self.shadowTables(namedIn: query.sql, exceptOf: byRow, in: db)
      plan.followWholly(fullTextTables.filter { !byRow.contains($0) })
    }
    for table in tables where known.insert(table.lowercased()).inserted {
      plan.dependencies.append(
        Dependency(table: table, keyColumns: [], affected: .everything))
    }
    return plan
  }

  /// Takes note of what rows hand to functions of time, so that each may be asked whether it is the
  /// word `now`.
  private mutating func followTimes(_ functions: StatementFunctions, in db: Database) {
    guard reasonForUnwrittenChanges == nil, let found = functions.valuesOfTime else { return }
    timesOfRows += found.values.filter { !timesOfRows.contains($0) }
    guard let query = PlanSQL(self).selectRowAskingClock else { return }
    if (try? RawStatement.prepare(query.sql, on: db)) == nil {
      // One row cannot be asked: a value is made of several, for one.
      reasonForUnwrittenChanges = StatementFunctions.reason(naming: found.function)
    }
  }

  private static func readsOtherDatabase(_ table: String) -> StoreError {
    .invalidRequest(
      "A request for \(table) reads a temporary table, or one of another database.",
      hint:
        "Live results follow the tables of the store's own file: write main. before the table's "
        + "name, or copy the rows there.")
  }

  /// Whether a full-text table is of FTS5, and writes down the size of each row.
  private static func keepsSizes(_ table: String, in db: Database) throws -> Bool {
    let rows = Dependency.rows(ofFullTextTable: table)
    let columns = try TableColumns(of: rows.table, in: db)
    return rows.keyColumns.allSatisfy { columns?.column(named: $0) != nil }
  }

  /// Follows full-text tables as a whole, and not their rows.
  private mutating func followWholly(_ fullTextTables: [String]) {
    for table in fullTextTables {
      let rows = Dependency.rows(ofFullTextTable: table)
      guard let position = dependencies.firstIndex(of: rows) else { continue }
      dependencies[position] = Dependency(
        table: rows.table, keyColumns: [], affected: .everything)
    }
  }

  /// The tables in which the virtual tables that a text names keep their contents.
  ///
  /// Writing to a virtual table is seen there only.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - fullTextTables: Virtual tables to leave out: their rows are followed one by one.
  ///   - db: The database.
  /// - Returns: Their names.
  /// - Throws: What reading the schema throws.
  private static func shadowTables(
    namedIn sql: String, exceptOf fullTextTables: [String], in db: Database
  ) throws -> [String] {
    let statement = try RawStatement.cached(
      """
      SELECT shadow.name, virtual.name FROM pragma_table_list AS shadow, pragma_table_list AS virtual
      WHERE shadow.type = 'shadow' AND virtual.type = 'virtual'
        AND shadow.name LIKE replace(virtual.name, '_', '\\_') || '\\_%' ESCAPE '\\'
        AND instr(lower(?), lower(virtual.name)) > 0
      """, on: db)
    defer { statement.reset() }
    try statement.bindAll([.text(sql)])
    var tables: [String: [String]] = [:]
    while try statement.step() {
      guard case .text(let name) = try statement.columnValue(at: 0),
        case .text(let virtual) = try statement.columnValue(at: 1)
      else { continue }
      tables[virtual.lowercased(), default: []].append(name)
    }
    for table in fullTextTables { tables[table.lowercased()] = nil }
    return tables.sorted { $0.key < $1.key }.flatMap(\.value)
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
