internal import Sectile

/// How texts of a key compare: by the index that makes it unique, whose collations need not be those of
/// the table's columns.
///
/// With `id TEXT COLLATE NOCASE, PRIMARY KEY (id COLLATE BINARY)` the condition `id = 'a'` is true of
/// two rows, `id COLLATE BINARY = 'a'` of one.
struct KeyCollations {
  /// The collations by the columns' names in lower case; none for a row id.
  private let collations: [String: String]

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - key: The columns of a key, in any order.
  ///   - table: The table's name.
  ///   - connection: The table's connection.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(of key: [String], in table: String, on connection: InspectionConnection) throws {
    let rows = try connection.schemaRows(
      """
      SELECT list.seq, lower(column.name), column.coll
      FROM pragma_index_list(?1, 'main') AS list, pragma_index_xinfo(list.name, 'main') AS column
      WHERE list."unique" AND NOT list.partial AND column.key
      ORDER BY list.seq, column.seqno
      """, [.text(table)])
    let wanted = Set(key.map { $0.lowercased() })
    var found: [String: String] = [:]
    // SQLite takes the first index of these columns, too.
    for index in Dictionary(grouping: rows, by: \.[0]).sorted(by: { $0.key < $1.key }).map(\.value)
    {
      let names = Set(index.map { ValueText.plain($0[1]) })
      guard names == wanted, index.count == wanted.count else { continue }
      for row in index { found[ValueText.plain(row[1])] = ValueText.plain(row[2]) }
      break
    }
    collations = found
  }

  /// What follows a column of the key in a condition; empty where its own collation is meant.
  func clause(for column: String) -> String {
    collations[column.lowercased()].map { " COLLATE \(SQLName.quote($0))" } ?? ""
  }
}
