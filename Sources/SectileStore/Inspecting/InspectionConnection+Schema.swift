internal import SectileCore

extension InspectionConnection {
  /// Returns the tables and views of the file, in the order of their names.
  ///
  /// SQLite's own tables are left out. Counting reads every table once, and gives up where that
  /// takes long. The rows of views and virtual tables are not counted: to do so runs their
  /// functions, one call of which may take as long and as much as it likes. A handler of progress
  /// that was set is gone afterwards.
  ///
  /// - Parameters:
  ///   - pattern: A pattern of LIKE for the names; nil for all.
  ///   - schema: The name of an attached file, whose tables are not counted; `main` for its own.
  ///   - tableTime: How long to count the rows of one table.
  ///   - wholeTime: How long to count all in all.
  /// - Returns: The tables and views.
  /// - Throws: ``StoreError`` where the schema cannot be read, or somebody interrupts. A table that
  ///   cannot be counted is listed without a count.
  package func tables(
    like pattern: String? = nil, of schema: String = "main",
    countingEachFor tableTime: Duration = .seconds(1),
    allFor wholeTime: Duration = .seconds(5)
  ) throws -> [InspectedTable] {
    var found: [(name: String, kind: InspectedTable.Kind)] = []
    let statement = try prepare(
      """
      SELECT name, CASE WHEN type = 'view' THEN 'view'
        WHEN sql LIKE 'CREATE VIRTUAL%' THEN 'virtual' ELSE 'table' END
      FROM \(SQLName.quote(schema)).sqlite_schema
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND (?1 IS NULL OR name LIKE ?1)
      ORDER BY name
      """)
    try statement.run([pattern.map { .text($0) } ?? .null]) { row in
      if case .text(let name) = row[0], case .text(let kind) = row[1] {
        found.append((name, InspectedTable.Kind(rawValue: kind) ?? .table))
      }
    }
    let end = ContinuousClock.now + wholeTime
    return try found.map { name, kind in
      let tableEnd = min(end, ContinuousClock.now + tableTime)
      let isCounted = kind == .table && schema == "main"
      let count = isCounted ? try count(name, until: tableEnd) : nil
      return InspectedTable(name: name, kind: kind, rowCount: count)
    }
  }

  /// Returns the statements that make a table or a view with its indexes and triggers, or those of
  /// the whole schema.
  ///
  /// - Parameter table: The name of a table or view; nil for everything.
  /// - Returns: The statements as they were written, without a semicolon; none where there is no
  ///   such table.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package func schema(of table: String? = nil) throws -> [String] {
    var statements: [String] = []
    try run(
      """
      SELECT sql, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL
      ORDER BY tbl_name, type NOT IN ('table', 'view'), name
      """
    ) { row in
      guard case .text(let sql) = row[0], case .text(let owner) = row[1] else { return }
      // SQLite's names have no case, as far as ASCII goes.
      if let table, table.lowercased() != owner.lowercased() { return }
      statements.append(sql)
    }
    return statements
  }

  /// Counts rows; nil where that fails, or takes too long.
  private func count(_ table: String, until end: ContinuousClock.Instant) throws -> Int? {
    var isLate = false
    setProgress(every: 10_000) {
      isLate = ContinuousClock.now >= end
      return !isLate
    }
    defer { setProgress(nil) }
    var count: Int?
    do {
      try run("SELECT count(*) FROM \(SQLName.quote(table))") { row in
        if case .integer(let number) = row[0] { count = Int(number) }
      }
    } catch let error as StoreError where error.code != .interrupted || isLate {
      return nil
    }
    return count
  }
}
