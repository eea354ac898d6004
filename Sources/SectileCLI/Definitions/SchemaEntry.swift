internal import Sectile

/// A table, index, view or trigger of a file, and the statement that makes it.
struct SchemaEntry {
  /// What an entry is, in SQLite's words.
  enum Kind: String {
    case table
    case index
    case view
    case trigger
  }

  /// What it is.
  let kind: Kind
  /// What it is called.
  let name: String
  /// The table or view that it belongs to; its own name for one.
  let table: String
  /// The statement.
  let sql: String

  /// Whether it is a table whose rows a module makes.
  var isVirtual: Bool {
    kind == .table && SQLPiece.essence(of: sql).prefix(2).elementsEqual(["CREATE", "VIRTUAL"])
  }

  /// Whether it is a full-text index of what another table holds, or of what nobody keeps.
  var keepsNoRows: Bool {
    guard isVirtual else { return false }
    let words = SQLPiece.essence(of: sql)
    return zip(words, words.dropFirst()).contains { $0 == "CONTENT" && $1 == "=" }
  }

  /// Whether it is a full-text index of what nobody keeps, which cannot be made anew.
  var isContentless: Bool {
    guard keepsNoRows else { return false }
    let words = SQLPiece.essence(of: sql)
    let start = words.indices.dropLast().first { words[$0] == "CONTENT" && words[$0 + 1] == "=" }
    guard let start, words.count > start + 2 else { return false }
    return ["''", "", ")", ","].contains(words[start + 2])
  }

  /// Returns whether it is a table in which a virtual table keeps its contents, by its name.
  func isShadow(of table: SchemaEntry) -> Bool {
    kind == .table && !isVirtual && table.isVirtual
      && name.lowercased().hasPrefix(table.name.lowercased() + "_")
  }

  /// Whether it belongs to Sectile's change log: one of its tables, or a trigger of it on whatever
  /// table.
  var isOfChangeLog: Bool {
    LogTables.isOwn(table) || (kind == .trigger && LogTables.isOwn(name))
  }

  /// Whether it is an entry of the same kind and name.
  func isNamesake(of other: SchemaEntry) -> Bool {
    kind == other.kind && name.lowercased() == other.name.lowercased()
  }

  /// Whether it is made by the same statement, but for space, comments, case and quotes of names.
  func isSame(as other: SchemaEntry) -> Bool {
    isNamesake(of: other)
      && (sql == other.sql || SQLPiece.essence(of: sql) == SQLPiece.essence(of: other.sql))
  }

  /// The statement that removes it.
  var removal: String { "DROP \(kind.rawValue.uppercased()) \(SQLName.quote(name))" }

  /// Reads all entries in the order in which they were made, without what SQLite makes for itself.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - withShadows: Whether tables are meant in which virtual tables keep their contents.
  /// - Returns: The entries.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func all(
    in connection: InspectionConnection, withShadows: Bool = false
  ) throws -> [SchemaEntry] {
    var shadows: Set<String> = []
    if !withShadows {
      try connection.run(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
      ) { shadows.insert(ValueText.plain($0[0]).lowercased()) }
    }
    var entries: [SchemaEntry] = []
    try connection.run(
      """
      SELECT type, name, tbl_name, sql FROM main.sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """
    ) { row in
      let texts = row.map(ValueText.plain)
      guard let kind = Kind(rawValue: texts[0]), !shadows.contains(texts[2].lowercased()) else {
        return
      }
      entries.append(SchemaEntry(kind: kind, name: texts[1], table: texts[2], sql: texts[3]))
    }
    return entries
  }
}
