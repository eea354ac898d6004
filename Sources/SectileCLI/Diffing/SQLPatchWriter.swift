internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes the differences of two files as SQL that makes the first file's contents the second's.
///
/// No trigger runs: those of a table whose rows change are removed before, and made again at the
/// end. Foreign keys are not looked at, so that nothing cascades and no order matters.
final class SQLPatchWriter: FileDiffWriting {
  let isPatch = true

  private let file: DiffFile
  private let literals: SQLLiterals
  private let output: Output
  private let isTerminal: Bool
  private var keptTriggers: [SchemaEntry]
  private var triggersToRestore: [SchemaEntry] = []

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - file: The file that the statements are for.
  ///   - keptTriggers: The triggers that neither go nor come.
  ///   - output: Where the statements go.
  ///   - isTerminal: Whether that is a terminal, which gets no control characters.
  /// - Throws: ``StoreError``.
  init(
    for file: DiffFile, keptTriggers: [SchemaEntry], output: Output,
    isTerminal: Bool = Output.isTerminal
  ) throws {
    self.file = file
    self.keptTriggers = keptTriggers
    self.output = output
    self.isTerminal = isTerminal
    literals = try SQLLiterals(file.connection)
  }

  func begin() throws {
    try statement("PRAGMA foreign_keys=OFF")
    try statement("BEGIN IMMEDIATE")
  }

  func drop(_ entry: SchemaEntry, replacement: SchemaEntry?) throws {
    try statement(entry.removal)
  }

  func create(_ entry: SchemaEntry, original: SchemaEntry?) throws {
    try statement(entry.sql)
  }

  func alter(_ entry: SchemaEntry, by sql: String) throws {
    try statement(sql)
  }

  func makeRowWriter(for part: DiffPart) throws -> any DiffWriting {
    // Rows go with their table.
    if part.role == .removed { return NoRowWriter() }
    return SQLRowWriter(
      part, literals: literals, overridesTable: try hasConflictClause(part.name),
      uniqueColumns: part.role == .added ? [] : try Self.uniqueColumns(of: part, in: file)
    ) { [self] text in
      try removeTriggers(of: part.name)
      try statement(text)
    }
  }

  func rebuild(_ table: String) throws {
    let name = SQLName.quote(table)
    try statement("INSERT INTO \(name)(\(name)) VALUES('rebuild')")
  }

  func sequence(of table: String, before: Int64?, after: Int64?) throws {
    let name = SQLLiterals.quoted(table)
    try statement("DELETE FROM sqlite_sequence WHERE name=\(name)")
    if let after { try statement("INSERT INTO sqlite_sequence(name,seq) VALUES(\(name),\(after))") }
  }

  func setting(_ name: String, before: Int64, after: Int64) throws {
    try statement("PRAGMA \(name)=\(after)")
  }

  func finish(_ summary: FileDiffSummary) throws {
    for trigger in triggersToRestore { try statement(trigger.sql) }
    try statement("COMMIT")
  }

  /// Whether a table may declare that new rows replace others, or are passed over.
  private func hasConflictClause(_ table: String) throws -> Bool {
    let rows = try file.connection.schemaRows(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
      [.text(table)])
    guard case .text(let sql)? = rows.first?[0] else { return false }
    return SQLPiece.essence(of: sql).contains("CONFLICT")
  }

  private func removeTriggers(of table: String) throws {
    let own = keptTriggers.filter { $0.table.lowercased() == table.lowercased() }
    if own.isEmpty { return }
    keptTriggers.removeAll { $0.table.lowercased() == table.lowercased() }
    triggersToRestore += own
    for trigger in own { try statement(trigger.removal) }
  }

  private func statement(_ sql: String) throws {
    // A comment at the end would take the semicolon with it.
    let end = SQLPiece.pieces(of: sql).last?.text.hasPrefix("--") == true ? "\n;" : ";"
    guard isTerminal else { return try output.line(sql + end) }
    let lines = (sql + end).split(separator: "\n", omittingEmptySubsequences: false)
    try output.line(lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n"))
  }

  /// Returns the columns, in lower case, whose values no two rows may share; nil where any column
  /// may take part in that.
  ///
  /// The key is left out, unless its collation takes different keys for one.
  private static func uniqueColumns(of part: DiffPart, in file: DiffFile) throws -> Set<String>? {
    let table = part.schema.name
    let indexes = try file.connection.schemaRows(
      "SELECT name, origin, partial FROM pragma_index_list(?1, 'main') WHERE \"unique\"",
      [.text(table)])
    var columns: Set<String> = []
    let key = Set(part.diff.key.map { $0.lowercased() })
    let isPlainKey = part.schema.columns.allSatisfy {
      !key.contains($0.name.lowercased()) || $0.collation == .binary
    }
    for index in indexes {
      if index[2] != .integer(0) { return nil }
      let names = try file.connection.schemaRows(
        "SELECT name FROM pragma_index_info(?1, 'main')", [index[0]])
      var own: Set<String> = []
      for name in names {
        // An expression has no name.
        guard case .text(let name) = name[0] else { return nil }
        own.insert(name.lowercased())
      }
      if own != key || !isPlainKey { columns.formUnion(own) }
    }
    return columns
  }
}
