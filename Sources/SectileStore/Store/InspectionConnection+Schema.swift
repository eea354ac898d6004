internal import SectileCore

extension InspectionConnection {
  /// Returns the tables and views of the file, in the order of their names.
  ///
  /// SQLite's own tables are left out. Counting reads every table once.
  ///
  /// - Parameter pattern: A pattern of LIKE for the names; nil for all.
  /// - Returns: The tables and views.
  /// - Throws: ``StoreError`` where the schema cannot be read, or somebody interrupts. A table that
  ///   cannot be counted (its virtual-table module is missing, a view refers to what is gone) is
  ///   listed without a count.
  public func tables(like pattern: String? = nil) throws -> [InspectedTable] {
    var found: [(name: String, kind: InspectedTable.Kind)] = []
    let statement = try prepare(
      """
      SELECT name, CASE WHEN type = 'view' THEN 'view'
        WHEN sql LIKE 'CREATE VIRTUAL%' THEN 'virtual' ELSE 'table' END
      FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND (?1 IS NULL OR name LIKE ?1)
      ORDER BY name
      """)
    try statement.run([pattern.map { .text($0) } ?? .null]) { row in
      if case .text(let name) = row[0], case .text(let kind) = row[1] {
        found.append((name, InspectedTable.Kind(rawValue: kind) ?? .table))
      }
    }
    return try found.map { name, kind in
      do {
        return InspectedTable(name: name, kind: kind, rowCount: try count(name))
      } catch let error as StoreError where error.code != .interrupted {
        return InspectedTable(name: name, kind: kind, rowCount: nil)
      }
    }
  }

  /// Returns the statements that make a table or a view with its indexes and triggers, or those of
  /// the whole schema.
  ///
  /// - Parameter table: The name of a table or view; nil for everything.
  /// - Returns: The statements as they were written, without a semicolon; none where there is no
  ///   such table.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  public func schema(of table: String? = nil) throws -> [String] {
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

  private func count(_ table: String) throws -> Int? {
    var count: Int?
    try run("SELECT count(*) FROM \(SQLName.quote(table))") { row in
      if case .integer(let number) = row[0] { count = Int(number) }
    }
    return count
  }
}
