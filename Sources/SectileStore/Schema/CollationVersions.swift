import GRDB
import SectileCore

/// The versions of collations by which a file's indexes are sorted, in a table of the file.
///
/// The order of a language changes with the release of the library that knows it, and an index in
/// another order gives wrong answers without an error. So a file whose schema names such a
/// collation says which version its indexes have:
///
/// ```text
/// sectile_collation    name 'sectile_people_sv_SE'    version '1 153.128.46.0'
/// ```
///
/// A store that is opened asks for it. An index that was made since the last time has no version,
/// and is taken for one of another. A version is brought up to date also where no index is left,
/// because the next one will have the order that is known then.
enum CollationVersions {
  /// The table's name.
  static let table = "sectile_collation"

  private static let creation =
    "CREATE TABLE IF NOT EXISTS main.sectile_collation (name TEXT PRIMARY KEY, version TEXT)"

  /// Returns those collations whose indexes may be in another order than the one known here.
  ///
  /// - Parameters:
  ///   - collations: What the store knows.
  ///   - db: The database.
  /// - Returns: Some of them; none for a file whose schema never used them.
  /// - Throws: What reading the schema and the table throws.
  static func unsettled(
    _ collations: [TextCollation], in db: Database
  ) throws(StoreError) -> [TextCollation] {
    let known = try versions(in: db)
    var unsettled: [TextCollation] = []
    for collation in collations where collation.version != nil {
      let isSettled =
        if let version = known[collation.name.inSQLLowerCase] {
          version == collation.version
        } else {
          try tables(naming: collation, in: db).isEmpty
        }
      if !isSettled { unsettled.append(collation) }
    }
    return unsettled
  }

  /// Builds the indexes of collations anew, and writes down that they are in the order known here.
  ///
  /// - Parameters:
  ///   - collations: What ``unsettled(_:in:)`` returned.
  ///   - db: The writing connection, inside a transaction.
  /// - Throws: What writing throws.
  static func settle(_ collations: [TextCollation], in db: Database) throws {
    try db.execute(sql: creation)
    for collation in collations {
      for table in try tables(naming: collation, in: db) {
        try db.execute(sql: "REINDEX main.\(SQLName.quote(table))")
      }
      try db.execute(
        sql: "INSERT OR REPLACE INTO main.sectile_collation (name, version) VALUES (?, ?)",
        arguments: [collation.name.inSQLLowerCase, collation.version])
    }
  }

  private static func versions(in db: Database) throws(StoreError) -> [String: String] {
    let isThere = try db.schemaRows(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'sectile_collation'", [])
    guard !isThere.isEmpty else { return [:] }
    let rows = try db.schemaRows("SELECT name, version FROM main.sectile_collation", [])
    return Dictionary(
      rows.map { ($0[0].schemaText, $0[1].schemaText) }, uniquingKeysWith: { first, _ in first })
  }

  /// The tables whose schema names a collation, and those of indexes that do.
  ///
  /// One that only has the name as a column's, or in a text, is among them: its indexes are built
  /// in vain.
  private static func tables(
    naming collation: TextCollation, in db: Database
  ) throws(StoreError) -> [String] {
    let rows = try db.schemaRows(
      """
      SELECT tbl_name, sql FROM main.sqlite_schema
      WHERE type IN ('table', 'index') AND rootpage > 0 AND instr(lower(sql), ?) > 0
      ORDER BY tbl_name
      """, [.text(collation.name.inSQLLowerCase)])
    var tables: [String] = []
    for row in rows {
      // The name of one language is the beginning of another's.
      let isNamed = SQLPiece.pieces(of: row[1].schemaText).contains { $0.isName(collation.name) }
      if isNamed, tables.last != row[0].schemaText { tables.append(row[0].schemaText) }
    }
    return tables
  }
}
