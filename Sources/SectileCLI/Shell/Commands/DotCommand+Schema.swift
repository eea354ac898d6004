internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

extension DotCommand {
  /// The commands that tell what there is.
  static let schemaCommands = [
    DotCommand(
      name: ".tables", arguments: "[PATTERN]", counts: 0...1, kinds: [.table],
      summary: "List tables and views with their numbers of rows.",
      details: ["PATTERN is one of LIKE: % stands for anything."]
    ) { session, words in
      try listTables(in: session, pattern: words.first)
    },
    DotCommand(
      name: ".schema", arguments: "[PATTERN]", counts: 0...1, kinds: [.table],
      summary: "Show the statements that make the schema, or a table with what belongs to it.",
      details: ["PATTERN is a name, or one of LIKE: % stands for anything."]
    ) { session, words in
      try showSchema(in: session, pattern: words.first)
    },
    DotCommand(
      name: ".indexes", aliases: [".indices"], arguments: "[TABLE]", counts: 0...1, kinds: [.table],
      summary: "List indexes with their columns."
    ) { session, words in
      try listIndexes(in: session, table: words.first)
    },
    DotCommand(
      name: ".databases", summary: "Show the file, and what SQLite says about it."
    ) { session, _ in
      try showFile(in: session)
    },
    DotCommand(
      name: ".migrations", summary: "List the migrations that Sectile applied to the file."
    ) { session, _ in
      try listMigrations(in: session)
    },
  ]

  private static func listTables(in session: ShellSession, pattern: String?) throws {
    let writer = session.makeWriter(columns: ["name", "kind", "rows"])
    for schema in session.schemas {
      for table in try session.connection.tables(like: pattern, of: schema) {
        try writer.write([
          .text(schema == "main" ? table.name : "\(schema).\(table.name)"),
          .text(table.kind.rawValue), table.rowCount.map { .integer(Int64($0)) } ?? .null,
        ])
      }
    }
    try writer.finish()
  }

  private static func showSchema(in session: ShellSession, pattern: String?) throws {
    // A name is that of one table, whatever signs of a pattern it has.
    let conditions = ["tbl_name = ?1 COLLATE NOCASE", "(tbl_name LIKE ?1 OR name LIKE ?1)"]
    for condition in pattern == nil ? ["?1 IS NULL"] : conditions {
      var count = 0
      for schema in session.schemas {
        count += try showSchema(of: schema, where: condition, pattern: pattern, in: session)
      }
      if count > 0 || pattern == nil { return }
    }
    throw session.noTable(pattern ?? "")
  }

  /// Writes the statements of one file that a condition chooses; returns how many.
  private static func showSchema(
    of schema: String, where condition: String, pattern: String?, in session: ShellSession
  ) throws -> Int {
    let output = session.output.current
    let statement = try session.connection.prepare(
      """
      SELECT sql FROM \(SQLName.quote(schema)).sqlite_schema WHERE sql IS NOT NULL AND \(condition)
      ORDER BY tbl_name, type NOT IN ('table', 'view'), name
      """)
    var count = 0
    try statement.run([pattern.map { .text($0) } ?? .null]) { row in
      count += 1
      guard session.output.isTerminal else {
        // Byte for byte as it was written.
        try statement.textBytes(at: 0).withUnsafeBytes { try output.write($0) }
        return try output.line(";")
      }
      // Line ends belong to the layout of a statement; everything else is data.
      let lines = ValueText.plain(row[0]).split(separator: "\n", omittingEmptySubsequences: false)
      try output.line(lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n") + ";")
    }
    return count
  }

  private static func listIndexes(in session: ShellSession, table: String?) throws {
    if let table, !session.names.tables.contains(where: { $0.lowercased() == table.lowercased() }) {
      throw session.noTable(table)
    }
    let statement = try session.connection.prepare(
      """
      SELECT i.name, t.name AS "table",
        (SELECT group_concat(coalesce(c.name, '(expression)'), ', ')
          FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) AS c) AS columns,
        CASE WHEN i."unique" THEN 'unique' ELSE '' END || CASE WHEN i.partial THEN ' partial' ELSE '' END
          AS kind
      FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
      WHERE t.schema = 'main' AND t.type = 'table' AND (?1 IS NULL OR t.name = ?1 COLLATE NOCASE)
      ORDER BY t.name, i.name
      """)
    let writer = session.makeWriter(columns: statement.columnNames)
    try statement.run([table.map { .text($0) } ?? .null]) { try writer.write($0) }
    try writer.finish()
  }

  private static func showFile(in session: ShellSession) throws {
    let writer = session.makeWriter(columns: ["what", "value"])
    try writer.write([.text("file"), .text(session.path)])
    try writer.write([
      .text("access"),
      .text(session.connection.access == .readOnly ? "read-only" : "read and write"),
    ])
    for file in session.attached {
      try writer.write([.text("file \(file.name)"), .text(file.path)])
    }
    for name in [
      "journal_mode", "encoding", "page_size", "page_count", "freelist_count", "schema_version",
      "user_version", "application_id",
    ] {
      try session.connection.run("PRAGMA \(name)") { row in
        try writer.write([.text(name), row.first ?? .null])
      }
    }
    try writer.finish()
  }

  private static func listMigrations(in session: ShellSession) throws {
    var isThere = false
    let ledger = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sectile_migration'"
    try session.connection.run(ledger) { _ in isThere = true }
    guard isThere else {
      return try session.output.current.line(
        "No migrations: the file has no table sectile_migration, so Sectile's migrator never ran here."
      )
    }
    let statement = try session.connection.prepare(
      """
      SELECT version, name, applied_at, substr(checksum, 1, 12) AS checksum
      FROM sectile_migration ORDER BY version
      """)
    let writer = session.makeWriter(columns: statement.columnNames)
    try statement.run { try writer.write($0) }
    try writer.finish()
  }
}

extension ShellSession {
  /// Returns what writes rows as the settings say.
  func makeWriter(columns: [String]) -> any RowWriting {
    settings.style.makeWriter(
      columns: columns, output: output.current, isTerminal: output.isTerminal)
  }

  /// The failure for a table that is not there.
  func noTable(_ name: String) -> CommandFailure {
    CommandFailure(
      .failed, "there is no table '\(name)' in \(path)",
      hint: Spelling.closest(to: name, in: names.tables).map { "Did you mean \($0)?" }
        ?? ".tables lists what there is.")
  }
}
