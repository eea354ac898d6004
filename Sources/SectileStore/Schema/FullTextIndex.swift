import GRDB
import SectileCore

/// A full-text table of FTS5 whose rows can be put back.
///
/// What it knows is in tables behind it, and in part in memory until the transaction commits: these
/// tables are not put back row by row. The full-text table itself is told to forget a row, and to
/// take one in:
///
/// ```text
/// texts         tells which rows were written     the texts of these rows
/// its own       NAME_content                      are there, as they were and as they are
/// content=t     NAME_docsize                      are in t, while t is as it was, or as it is
/// ```
///
/// Without texts (`content=''`), and without sizes beside the texts of others, nobody knows what a
/// row was made of: such tables are none of these.
struct FullTextIndex: Hashable, Sendable {
  /// Where the texts of the rows are.
  enum Texts: Hashable, Sendable {
    /// In the full-text table itself.
    case own
    /// In a table or view that somebody keeps it in step with, found by a column.
    case other(String, rowID: String)
  }

  /// The full-text table's name.
  let name: String
  /// Its columns.
  let columns: [String]
  /// Where their texts are.
  let texts: Texts

  /// Reads which full-text tables of the file can have their rows put back.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func all(in db: Database) throws(StoreError) -> [FullTextIndex] {
    let rows = try db.schemaRows(
      """
      SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'
      """, [])
    var indexes: [FullTextIndex] = []
    for row in rows {
      guard let texts = Self.texts(createdBy: row[1].schemaText),
        let index = try FullTextIndex(row[0].schemaText, texts, in: db)
      else { continue }
      indexes.append(index)
    }
    return indexes
  }

  /// Looks at the tables behind a full-text table; nil where they are not those that are known.
  private init?(_ name: String, _ texts: Texts, in db: Database) throws(StoreError) {
    // One whose tokenizer is missing cannot be read, and nobody writes to it.
    guard let table = try? TableSchema(of: name, in: db), table.kind == .virtual else {
      return nil
    }
    self.name = name
    self.texts = texts
    columns = table.columns.filter { $0.origin == .written }.map(\.name)
    let expected = ["id"] + (texts == .own ? columns.indices.map { "c\($0)" } : ["sz"])
    guard let behind = try TableSchema(of: rowTable, in: db), behind.kind == .shadow,
      behind.columns.map(\.name) == expected,
      try TableListing(of: name + "_data", in: db)?.kind == .shadow
    else { return nil }
  }

  // MARK: - The tables behind it

  /// The table in which each row that is written has a row under the same row id.
  var rowTable: String { name + (texts == .own ? "_content" : "_docsize") }

  /// The tables that the full-text table writes by itself when a row is written.
  var followingTables: [String] {
    [name + "_data", name + "_idx"] + (texts == .own ? [name + "_docsize"] : [])
  }

  // MARK: - SQL

  /// Has the row of a row id forgotten, while its texts are what they were when it was taken in.
  var deletion: String {
    switch texts {
    case .own: "DELETE FROM \(SQLName.table(name)) WHERE rowid = ?"
    case .other(let table, let rowID):
      "INSERT INTO \(SQLName.table(name)) (\(SQLName.quote(name)), \(columnList))"
        + " SELECT 'delete', \(selection(of: table, by: rowID))"
    }
  }

  /// Takes in a row: of its row id and all texts where they are its own, of the row id only
  /// otherwise.
  var insertion: String {
    let target = "INSERT INTO \(SQLName.table(name)) (\(columnList))"
    switch texts {
    case .own: return target + " VALUES (?\(columns.map { _ in ", ?" }.joined()))"
    case .other(let table, let rowID):
      return target + " SELECT \(selection(of: table, by: rowID))"
    }
  }

  private var columnList: String {
    (["rowid"] + columns.map { SQLName.quote($0) }).joined(separator: ", ")
  }

  private func selection(of table: String, by rowID: String) -> String {
    let key = SQLName.quote("source", rowID)
    let values = [key] + columns.map { SQLName.quote("source", $0) }
    return "\(values.joined(separator: ", ")) FROM \(SQLName.table(table)) AS source"
      + " WHERE \(key) = ?"
  }

  // MARK: - The declaration

  /// The options that say nothing else of where texts are.
  private static let plainOptions: Set<String> = ["prefix", "tokenize", "detail", "columnsize"]

  /// Reads where the texts are; nil for other modules, without texts, and where there are options
  /// that are not known.
  private static func texts(createdBy sql: String) -> Texts? {
    let pieces = SQLPiece.pieces(of: sql).filter { $0.kind != .space }
    // CREATE VIRTUAL TABLE name USING fts5 (
    guard pieces.count > 7, pieces[4].isWord("USING"), pieces[5].isName("fts5"),
      pieces[6].isSign("(")
    else { return nil }
    var content: String?
    var rowID = "rowid"
    for argument in pieces[7...].split(whereSeparator: { $0.isSign(",") || $0.isSign(")") }) {
      let argument = Array(argument)
      guard argument.contains(where: { $0.isSign("=") }) else { continue }
      guard argument.count == 3, argument[0].kind == .word, argument[1].isSign("="),
        let value = argument[2].name
      else { return nil }
      switch argument[0].text.inSQLLowerCase {
      case "content": content = value
      case "content_rowid": rowID = value
      case let option where plainOptions.contains(option): break
      default: return nil
      }
    }
    guard let content else { return .own }
    return content.isEmpty ? nil : .other(content, rowID: rowID)
  }
}
