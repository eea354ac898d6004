internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes the rows of tables as INSERT statements.
struct TableDump {
  private let connection: InspectionConnection
  private let literals: SQLLiterals
  private let advance: () throws -> Void

  /// Creates a writer for the tables of a database.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - advance: Called after each row.
  /// - Throws: ``StoreError``.
  init(of connection: InspectionConnection, advance: @escaping () throws -> Void) throws {
    self.connection = connection
    self.advance = advance
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
  ///   - output: Where the statements go.
  ///   - isTerminal: Whether that is a terminal, which gets no control characters.
  /// - Throws: ``CommandFailure`` for a table that is not there; ``StoreError``; what the output
  ///   throws.
  func write(
    _ table: String, where condition: (column: String, values: [String])? = nil,
    to output: Output, isTerminal: Bool
  ) throws {
    guard let schema = try TableSchema(of: table, in: connection) else {
      throw CommandFailure(.data, "SQLite knows no table '\(table)', although the schema names it")
    }
    var columns = schema.columns.filter { $0.origin == .written }.map(\.name)
    let rowID = try rowIDName(of: schema)
    let isPartial = columns.count < schema.columns.count
    if let rowID { columns.insert(rowID, at: 0) }
    let list = columns.map(SQLName.quote).joined(separator: ",")
    let named = isPartial || rowID != nil ? "(\(list))" : ""
    let start = "INSERT INTO \(SQLName.quote(table))\(named) VALUES("
    var query = "SELECT \(list) FROM \(SQLName.table(table))"
    if let condition {
      let marks = condition.values.map(SQLLiterals.quoted).joined(separator: ",")
      query += " WHERE \(SQLName.quote(condition.column)) IN (\(marks))"
    }
    if let rowID { query += " ORDER BY \(rowID)" }
    let statement = try connection.prepare(query)
    try statement.run { values in
      if isTerminal {
        let texts = try values.enumerated().map { column, value in
          try literals.text(of: value) { statement.textBytes(at: column) }
        }
        try output.line(TerminalText.escapedLines(start + texts.joined(separator: ",") + ");"))
      } else {
        try output.write(start)
        for (column, value) in values.enumerated() {
          if column > 0 { try output.write(",") }
          try literals.write(value, to: output) { statement.textBytes(at: column) }
        }
        try output.write(");\n")
      }
      try advance()
    }
  }

  /// The name by which row ids can be read and written; nil where there is no need to.
  private func rowIDName(of schema: TableSchema) throws -> String? {
    guard !schema.name.hasPrefix("sqlite_"), schema.rowIDColumn == nil,
      let name = schema.rowIDNames.first
    else { return nil }
    // Where they count from 1 without a gap, the rows get them again.
    var isPlain = true
    try connection.run(
      "SELECT count(*), min(\(name)), max(\(name)) FROM \(SQLName.table(schema.name))"
    ) { row in
      isPlain = row[0] == .integer(0) || (row[1] == .integer(1) && row[2] == row[0])
    }
    return isPlain ? nil : name
  }
}
