internal import GRDB
internal import SectileCore

/// What a schema consists of, in a form that tells whether two schemas mean the same.
///
/// Two statements mean the same where they differ in case, space, comments and quotes of names
/// alone. Two tables also do where SQLite says the same of them, since ALTER TABLE and different
/// tools write the same table in different words.
struct SchemaOutline {
  /// A property of a table: what it is called in messages, and what it is.
  private typealias Fact = (name: String, value: String)

  private struct Object {
    /// Such as `table package`.
    let title: String
    /// Its name, as SQLite compares names.
    let name: String
    /// Its statement, in what tells statements apart.
    let essence: [String]
    /// What is known of a table with rows of its own; empty for everything else.
    let facts: [Fact]
  }

  private let objects: [Object]

  /// Reads the schema; SQLite's own objects and the tables behind virtual ones are left out.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(of db: Database) throws(StoreError) {
    let rows = try db.schemaRows(
      """
      SELECT type, name, sql FROM main.sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN (
          SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
      ORDER BY type NOT IN ('table', 'view'), name
      """, [])
    var objects: [Object] = []
    for row in rows {
      let (type, name, sql) = (row[0].schemaText, row[1].schemaText, row[2].schemaText)
      let facts = try type == "table" ? Self.facts(of: name, createdBy: sql, in: db) : []
      objects.append(
        Object(
          title: "\(type) \(name)", name: name.inSQLLowerCase,
          essence: SQLPiece.essence(of: sql), facts: facts))
    }
    self.objects = objects
  }

  /// Whether an object has the name of one of another schema.
  func hasName(of other: SchemaOutline) -> Bool {
    !Set(objects.map(\.name)).isDisjoint(with: other.objects.map(\.name))
  }

  /// Returns what another schema lacks of this one or has otherwise, a sentence each.
  ///
  /// What it has beyond this one is no difference.
  func differences(to other: SchemaOutline) -> [String] {
    let others = Dictionary(
      other.objects.map { ($0.title.inSQLLowerCase, $0) }, uniquingKeysWith: { first, _ in first })
    return objects.flatMap { object -> [String] in
      guard let found = others[object.title.inSQLLowerCase] else {
        return ["\(object.title) is missing"]
      }
      return Self.differences(between: object, and: found)
    }
  }

  private static func differences(between wanted: Object, and found: Object) -> [String] {
    guard wanted.essence != found.essence else { return [] }
    guard !wanted.facts.isEmpty, !found.facts.isEmpty else {
      return ["\(wanted.title) has another definition"]
    }
    let values = Dictionary(
      found.facts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return wanted.facts.compactMap { fact in
      let value = values[fact.name] ?? ""
      guard value != fact.value else { return nil }
      return "\(wanted.title) has \(fact.name) \(text(value)) instead of \(text(fact.value))"
    }
  }

  private static func text(_ value: String) -> String {
    let limit = 200
    guard !value.isEmpty else { return "(none)" }
    return value.count > limit ? "(\(value.prefix(limit))…)" : "(\(value))"
  }

  // MARK: - Tables

  private static func facts(
    of name: String, createdBy sql: String, in db: Database
  ) throws(StoreError) -> [Fact] {
    let pieces = SQLPiece.pieces(of: sql).filter { $0.kind != .space }
    // A virtual table whose module is missing cannot be asked.
    guard pieces.count > 1, !pieces[1].isWord("VIRTUAL"),
      let table = try TableSchema(of: name, in: db), table.kind == .table
    else { return [] }
    var options: [String] = []
    if table.listing.isStrict { options.append("STRICT") }
    if table.listing.isWithoutRowID { options.append("WITHOUT ROWID") }
    if pieces.contains(where: { $0.isWord("AUTOINCREMENT") }) { options.append("AUTOINCREMENT") }
    var facts: [Fact] = [
      ("columns", list(table.columns.map { $0.name.inSQLLowerCase })),
      ("options", list(options)),
      ("unique keys", list(try uniqueKeys(of: table, in: db))),
      ("foreign keys", list(try foreignKeys(of: table, in: db))),
      ("conditions", list(conditions(in: pieces).sorted())),
    ]
    for column in table.columns {
      facts.append(("column \(column.name.inSQLLowerCase)", text(of: column, in: table)))
    }
    return facts
  }

  private static func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }

  private static func text(of column: TableSchema.Column, in table: TableSchema) -> String {
    var parts = column.declaredType.isEmpty ? [] : [column.declaredType.uppercased()]
    if column.keyPosition > 0 { parts.append("PRIMARY KEY \(column.keyPosition)") }
    // A row id is never NULL, whether that is written or not.
    if column.isNotNull, column.name != table.rowIDColumn { parts.append("NOT NULL") }
    if let value = column.defaultValue {
      parts += ["DEFAULT"] + SQLPiece.essence(of: value)
    }
    if column.collation != .binary {
      parts.append("COLLATE \(column.collation.name.inSQLLowerCase)")
    }
    switch column.origin {
    case .written, .hidden: break
    case .computed: parts.append("VIRTUAL")
    case .computedAndStored: parts.append("STORED")
    }
    return parts.joined(separator: " ")
  }

  /// The keys that the table itself declares.
  private static func uniqueKeys(
    of table: TableSchema, in db: Database
  ) throws(StoreError) -> [String] {
    try UniqueIndex.all(of: table, in: db).filter { $0.creation == nil }.map { index in
      let terms = index.terms.map { term in
        guard case .column(let column) = term.value else { return "" }
        return column.name.inSQLLowerCase + " " + term.collation.name.inSQLLowerCase
      }
      return (index.isKey ? "PRIMARY KEY " : "UNIQUE ") + terms.joined(separator: " ")
    }.sorted()
  }

  private static func foreignKeys(
    of table: TableSchema, in db: Database
  ) throws(StoreError) -> [String] {
    let rows = try db.schemaRows(
      """
      SELECT id, "from", "table", coalesce("to", ''), on_update, on_delete
      FROM pragma_foreign_key_list(?1, 'main') ORDER BY id, seq
      """, [.text(table.name)])
    var keys: [String] = []
    var rest = rows[...]
    while let first = rest.first {
      let columns = rest.prefix { $0[0] == first[0] }
      rest = rest.dropFirst(columns.count)
      let names = columns.map { row in
        row[1].schemaText.inSQLLowerCase + " REFERENCES " + row[2].schemaText.inSQLLowerCase + " "
          + row[3].schemaText.inSQLLowerCase
      }
      keys.append(
        names.joined(separator: " ") + " ON UPDATE " + first[4].schemaText + " ON DELETE "
          + first[5].schemaText)
    }
    return keys.sorted()
  }

  /// What stands in parentheses behind CHECK and AS: conditions, and generated values.
  private static func conditions(in pieces: [SQLPiece]) -> [String] {
    pieces.indices.compactMap { place in
      let rest = pieces[(place + 1)...]
      guard pieces[place].isWord("CHECK") || pieces[place].isWord("AS"),
        rest.first?.isSign("(") == true, let list = SQLPiece.list(in: rest)
      else { return nil }
      let inside = rest[..<list.after.startIndex].map(\.text).joined(separator: " ")
      return pieces[place].text.uppercased() + " "
        + SQLPiece.essence(of: inside).joined(separator: " ")
    }
  }
}
