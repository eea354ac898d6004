internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes a database as SQL that makes it anew.
///
/// Tables come first, each with its rows, then indexes, views and triggers, so that no trigger sees
/// the rows come in. A virtual table is entered into the schema as it stands there; the tables that
/// its module keeps are written like any others.
struct SQLDump {
  private struct Entry {
    let kind: String
    let name: String
    let table: String
    let sql: String
    var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE") }
  }

  private let connection: InspectionConnection
  private let isTerminal: Bool

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - isTerminal: Whether the text goes to a terminal, which gets no control characters.
  init(of connection: InspectionConnection, isTerminal: Bool) {
    self.connection = connection
    self.isTerminal = isTerminal
  }

  /// Writes the whole database, or some tables with what belongs to them.
  ///
  /// - Parameters:
  ///   - tables: Names, or patterns of LIKE; empty for everything.
  ///   - output: Where the text goes.
  ///   - advance: Called after each row with the number of rows so far.
  /// - Throws: ``CommandFailure`` where nothing matches; ``StoreError``; what the output and
  ///   `advance` throw.
  func write(
    tables: [String], to output: Output, advance: @escaping (_ rows: Int) throws -> Void
  ) throws {
    // All of it is one state of the database.
    let isOuter = !connection.isInTransaction
    if isOuter { try connection.run("BEGIN") { _ in } }
    defer { if isOuter { _ = try? connection.run("ROLLBACK") { _ in } } }
    let entries = try entries(of: tables)
    try line("PRAGMA foreign_keys=OFF;", to: output)
    if tables.isEmpty { try writeSettings(to: output) }
    try line("BEGIN TRANSACTION;", to: output)
    var count = 0
    let rows = try TableDump(of: connection) {
      count += 1
      try advance(count)
    }
    var isSchemaOpen = false
    for entry in entries where entry.kind == "table" && !entry.name.hasPrefix("sqlite_") {
      if entry.isVirtual {
        if !isSchemaOpen { try line("PRAGMA writable_schema=ON;", to: output) }
        isSchemaOpen = true
        let values = ["table", entry.name, entry.table].map(SQLLiterals.quoted).joined(
          separator: ",")
        try line(
          "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)"
            + "VALUES(\(values),0,\(SQLLiterals.quoted(entry.sql)));", to: output)
      } else {
        try line(entry.sql + ";", to: output)
        do {
          try rows.write(entry.name, to: output, isTerminal: isTerminal)
        } catch let error as StoreError where error.code == .statementFailed {
          throw CommandFailure(
            .data, "\(entry.name) cannot be read: \(error.plainText)",
            hint: "Name the tables to write, without it: .dump TABLE …")
        }
      }
    }
    try writeOwnTables(entries.map(\.name), rows, isWhole: tables.isEmpty, to: output)
    for kind in ["index", "view", "trigger"] {
      for entry in entries where entry.kind == kind { try line(entry.sql + ";", to: output) }
    }
    if isSchemaOpen { try line("PRAGMA writable_schema=OFF;", to: output) }
    try line("COMMIT;", to: output)
  }

  /// What a file says about itself, where it is not what a new file says.
  private func writeSettings(to output: Output) throws {
    for name in ["encoding", "application_id", "user_version"] {
      try connection.run("PRAGMA \(name)") { row in
        switch row[0] {
        case .text("UTF-8"), .integer(0): break
        case .text(let text): try line("PRAGMA \(name)='\(text)';", to: output)
        case let value: try line("PRAGMA \(name)=\(ValueText.plain(value));", to: output)
        }
      }
    }
  }

  /// The tables that SQLite keeps for itself: they exist already when their rows come.
  private func writeOwnTables(
    _ dumped: [String], _ rows: TableDump, isWhole: Bool, to output: Output
  ) throws {
    let known = try ownTables()
    if known.contains("sqlite_sequence") {
      // The rows that came in have left their traces in it.
      let names = dumped.map(SQLLiterals.quoted).joined(separator: ",")
      let some = isWhole ? "" : " WHERE name IN (\(names))"
      try line("DELETE FROM sqlite_sequence\(some);", to: output)
      try rows.write(
        "sqlite_sequence", where: isWhole ? nil : ("name", dumped), to: output,
        isTerminal: isTerminal)
    }
    if isWhole && known.contains("sqlite_stat1") {
      try line("ANALYZE sqlite_schema;", to: output)
      try rows.write("sqlite_stat1", to: output, isTerminal: isTerminal)
    }
  }

  private func ownTables() throws -> [String] {
    var names: [String] = []
    try connection.run(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'sqlite\\_%' ESCAPE '\\'"
    ) { row in
      if case .text(let name) = row[0] { names.append(name) }
    }
    return names
  }

  private func entries(of patterns: [String]) throws -> [Entry] {
    var entries: [Entry] = []
    try connection.run(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ) { row in
      let texts = row.map(ValueText.plain)
      entries.append(Entry(kind: texts[0], name: texts[1], table: texts[2], sql: texts[3]))
    }
    if patterns.isEmpty { return entries }
    var wanted: Set<String> = []
    for pattern in patterns {
      let found = try tables(like: pattern, among: entries)
      guard !found.isEmpty else {
        throw CommandFailure(
          .failed, "there is no table '\(pattern)' in \(connection.path)",
          hint: Spelling.closest(to: pattern, in: entries.map(\.name)).map { "Did you mean \($0)?" }
            ?? ".tables lists what there is.")
      }
      wanted.formUnion(found)
    }
    return entries.filter { wanted.contains($0.table) }
  }

  /// The tables and views of a name, or of a pattern; with a virtual table those of its module.
  private func tables(like pattern: String, among entries: [Entry]) throws -> [String] {
    let all = entries.filter { $0.kind == "table" || $0.kind == "view" }
    var found = all.filter { $0.name.lowercased() == pattern.lowercased() }
    if found.isEmpty {
      let matches = try connection.prepare("SELECT ?1 LIKE ?2")
      found = try all.filter { entry in
        var isMatch = false
        try matches.run([.text(entry.name), .text(pattern)]) { isMatch = $0[0] == .integer(1) }
        return isMatch
      }
    }
    let shadows = found.filter(\.isVirtual).flatMap { virtual in
      all.filter { $0.name.hasPrefix(virtual.name + "_") }
    }
    return (found + shadows).map(\.name)
  }

  private func line(_ text: String, to output: Output) throws {
    try output.line(isTerminal ? TerminalText.escapedLines(text) : text)
  }
}

extension TerminalText {
  /// Returns lines without control characters.
  static func escapedLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) }.joined(separator: "\n")
  }
}
