internal import Sectile

/// Writes the rows of tables as INSERT statements.
struct TableDump {
  private let connection: InspectionConnection
  private let literals: SQLLiterals

  /// Creates a writer for the tables of a database.
  init(of connection: InspectionConnection) throws {
    self.connection = connection
    literals = try SQLLiterals(connection)
  }

  /// Writes the rows of a table.
  ///
  /// Generated columns are left out. Row ids that nothing else tells are written where they are not
  /// those that the rows would get anyway.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - condition: A column and the values that rows have there to be written; nil for all rows.
  ///   - line: Hears each statement.
  /// - Throws: ``StoreError``, or what the closure throws.
  func write(
    _ table: String, where condition: (column: String, values: [String])? = nil,
    _ line: (String) throws -> Void
  ) throws {
    var columns: [String] = []
    var hasGenerated = false
    let described = try connection.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)")
    try described.run([.text(table)]) { row in
      if row[1] == .integer(0) {
        columns.append(ValueText.plain(row[0]))
      } else {
        hasGenerated = true
      }
    }
    let rowID = try rowIDColumn(of: table, columns: columns)
    if let rowID { columns.insert(rowID, at: 0) }
    let list = columns.map(SQLName.quote).joined(separator: ",")
    let named = hasGenerated || rowID != nil ? "(\(list))" : ""
    let start = "INSERT INTO \(SQLName.quote(table))\(named) VALUES("
    var query = "SELECT \(list) FROM \(SQLName.quote(table))"
    if let condition {
      let marks = condition.values.map(SQLLiterals.quoted).joined(separator: ",")
      query += " WHERE \(SQLName.quote(condition.column)) IN (\(marks))"
    }
    if let rowID { query += " ORDER BY \(rowID)" }
    let statement = try connection.prepare(query)
    try statement.run { values in
      let texts = try values.enumerated().map { column, value in
        try literals.text(of: value) { statement.textBytes(at: column) }
      }
      try line(start + texts.joined(separator: ",") + ");")
    }
  }

  /// The name by which row ids can be read and written; nil where there is no need to.
  private func rowIDColumn(of table: String, columns: [String]) throws -> String? {
    guard !table.hasPrefix("sqlite_") else { return nil }
    var hasRowIDs = false
    let listed = try connection.prepare(
      """
      SELECT 1 FROM pragma_table_list AS t WHERE schema = 'main' AND name = ?1 AND NOT wr
        AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) AS c
          WHERE c.pk = 1 AND upper(c.type) = 'INTEGER'
            AND (SELECT count(*) FROM pragma_table_xinfo(t.name) WHERE pk > 0) = 1
            AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) WHERE origin = 'pk'))
      """)
    try listed.run([.text(table)]) { _ in hasRowIDs = true }
    let taken = Set(columns.map { $0.lowercased() })
    guard hasRowIDs, let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) })
    else { return nil }
    // Where they count from 1 without a gap, the rows get them again.
    var isPlain = true
    try connection.run(
      "SELECT count(*), min(\(name)), max(\(name)) FROM \(SQLName.quote(table))"
    ) { row in
      isPlain = row[0] == .integer(0) || (row[1] == .integer(1) && row[2] == row[0])
    }
    return isPlain ? nil : name
  }
}
