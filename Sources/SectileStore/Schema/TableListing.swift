internal import SectileCore

/// A table or view of the file, as the list of all of them describes it.
///
/// Temporary tables are not meant, also where one has the same name: requests name the file's.
package struct TableListing: Hashable, Sendable {
  /// What a name in the schema stands for, in SQLite's words.
  package enum Kind: String, Hashable, Sendable {
    /// A table with rows of its own.
    case table
    /// A stored query.
    case view
    /// A virtual table, whose rows a module makes.
    case virtual
    /// A table in which a virtual one keeps its contents.
    case shadow

    /// Whether rows are stored under this very name.
    package var isStored: Bool { self == .table || self == .shadow }
  }

  /// The name as the schema writes it.
  package let name: String
  /// What it stands for.
  package let kind: Kind
  /// Whether it is declared WITHOUT ROWID.
  package let isWithoutRowID: Bool
  /// Whether it is declared STRICT.
  package let isStrict: Bool

  private static let columns = "name, type, wr, strict"

  /// Looks up a name, in any case; nil where the file has no table and no view of it.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package init?(of table: String, in source: some SchemaSource) throws(StoreError) {
    let rows = try source.schemaRows(
      """
      SELECT \(Self.columns) FROM pragma_table_list
      WHERE schema = 'main' AND name = ? COLLATE NOCASE
      """, [.text(table)])
    guard let row = rows.first else { return nil }
    self.init(row)
  }

  private init?(_ row: [StoredValue]) {
    guard let kind = Kind(rawValue: row[1].schemaText) else { return nil }
    name = row[0].schemaText
    self.kind = kind
    isWithoutRowID = row[2] != .integer(0)
    isStrict = row[3] != .integer(0)
  }

  /// Returns the tables and views in the order of their names, without SQLite's own and without
  /// shadow tables.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package static func all(in source: some SchemaSource) throws(StoreError) -> [TableListing] {
    let rows = try source.schemaRows(
      """
      SELECT \(columns) FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """, [])
    return rows.compactMap(TableListing.init)
  }
}
