internal import GRDBSQLite
internal import SectileCore

/// What the schema says about one table or view of the file: its columns, and what is its row id.
///
/// All other parts ask here. Temporary tables are not meant, as in ``TableListing``.
package struct TableSchema: Sendable {
  /// A column.
  package struct Column: Hashable, Sendable {
    /// Where the values of a column come from.
    package enum Origin: Int64, Hashable, Sendable {
      /// Somebody writes them.
      case written = 0
      /// A virtual table offers them, and `*` leaves them out.
      case hidden = 1
      /// They are computed when they are read.
      case computed = 2
      /// They are computed when the row is written, and stored.
      case computedAndStored = 3
    }

    /// The name as the schema writes it.
    package let name: String
    /// The type as the schema writes it; empty without one.
    package let declaredType: String
    /// Whether it refuses NULL, as far as the schema says so; an `INTEGER PRIMARY KEY` does anyway.
    package let isNotNull: Bool
    /// The SQL of the default value; nil without one.
    package let defaultValue: String?
    /// Where its values come from.
    package let origin: Origin
    /// The position in the primary key, from 1; 0 for a column that is not part of it.
    package let keyPosition: Int
    /// How text in it compares where nothing else is said; bytes, for a view.
    package let collation: TextCollation

    /// Whether its values take room in the row.
    package var isStored: Bool { origin != .computed }
    /// Whether SQLite computes its values.
    package var isGenerated: Bool { origin == .computed || origin == .computedAndStored }
  }

  /// The name, and what it stands for.
  package let listing: TableListing
  /// The columns in order, generated and hidden ones included.
  ///
  /// None for a view or virtual table that cannot be read, where ``all(in:)`` found it.
  package let columns: [Column]
  /// The column that is the row id by another name; nil where there is none.
  ///
  /// A key is the row id where it is a single column of type `INTEGER`, and has no index of its
  /// own: the one of `INTEGER PRIMARY KEY DESC` has, and so have all keys of tables WITHOUT ROWID.
  package let rowIDColumn: String?

  /// The name as the schema writes it.
  package var name: String { listing.name }
  /// What the name stands for.
  package var kind: TableListing.Kind { listing.kind }

  /// Reads the schema; nil where the file has no table and no view of the name.
  ///
  /// - Parameters:
  ///   - table: The name, in any case.
  ///   - source: The connection.
  /// - Throws: ``StoreError`` where the schema cannot be read, as that of a view of a table that is
  ///   gone.
  package init?(of table: String, in source: some SchemaSource) throws(StoreError) {
    guard let listing = try TableListing(of: table, in: source) else { return nil }
    try self.init(listing, in: source)
  }

  private init(_ listing: TableListing, in source: some SchemaSource) throws(StoreError) {
    let rows: [[StoredValue]]
    do {
      rows = try source.schemaRows(
        """
        SELECT name, type, "notnull", dflt_value, hidden, pk,
          (SELECT count(*) FROM pragma_index_list(?1, 'main') WHERE origin = 'pk')
        FROM pragma_table_xinfo(?1, 'main')
        """, [.text(listing.name)])
    } catch {
      throw error.ofColumns(of: listing, in: source)
    }
    let connection = source.schemaConnection
    let columns = rows.map { Column($0, of: listing.name, on: connection) }
    self.init(listing, columns, hasKeyIndex: rows.first.map { $0[6] != .integer(0) } ?? false)
  }

  private init(_ listing: TableListing, _ columns: [Column], hasKeyIndex: Bool) {
    self.listing = listing
    self.columns = columns
    let keys = columns.filter { $0.keyPosition > 0 }
    let isRowID =
      listing.kind.isStored && !listing.isWithoutRowID && !hasKeyIndex && keys.count == 1
      && keys[0].declaredType.uppercased() == "INTEGER"
    rowIDColumn = isRowID ? keys[0].name : nil
  }

  /// Reads all of the schema, in the order of names; SQLite's own tables and shadow tables are left
  /// out.
  ///
  /// - Throws: ``StoreError`` where the list of tables cannot be read. A view of what is gone has
  ///   no columns.
  package static func all(in source: some SchemaSource) throws(StoreError) -> [TableSchema] {
    try TableListing.all(in: source).map { listing in
      (try? TableSchema(listing, in: source)) ?? TableSchema(listing, [], hasKeyIndex: false)
    }
  }

  /// The columns of the primary key, in the key's order.
  package var keyColumns: [String] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }

  /// The columns that take room in a row, in the order in which they stand there.
  package var storedColumns: [Column] { columns.filter(\.isStored) }

  /// SQLite's names of the row id that no column has taken; none where rows have no ids.
  package var rowIDNames: [String] {
    guard kind != .view, !listing.isWithoutRowID else { return [] }
    let taken = Set(columns.map { $0.name.lowercased() })
    return Self.namesOfRowIDs.filter { !taken.contains($0) }
  }

  /// What SQLite calls the row id, whatever the table is.
  package static let namesOfRowIDs = ["rowid", "_rowid_", "oid"]

  /// Returns the statement that created a table; nil where there is none.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func creation(
    ofTable table: String, in source: some SchemaSource
  ) throws(StoreError) -> String? {
    let rows = try source.schemaRows(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      [.text(table)])
    guard case .text(let sql)? = rows.first?[0] else { return nil }
    return sql
  }
}

extension TableSchema.Column {
  fileprivate init(_ row: [StoredValue], of table: String, on connection: OpaquePointer?) {
    name = row[0].schemaText
    declaredType = row[1].schemaText
    isNotNull = row[2] != .integer(0)
    defaultValue = row[3] == .null ? nil : row[3].schemaText
    if case .integer(let hidden) = row[4] {
      origin = Origin(rawValue: hidden) ?? .written
    } else {
      origin = .written
    }
    keyPosition = if case .integer(let position) = row[5] { Int(position) } else { 0 }
    collation = Self.collation(of: name, in: table, on: connection)
  }

  private static func collation(
    of column: String, in table: String, on connection: OpaquePointer?
  ) -> TextCollation {
    var name: UnsafePointer<CChar>?
    guard let connection,
      sqlite3_table_column_metadata(connection, "main", table, column, nil, &name, nil, nil, nil)
        == SQLITE_OK, let name
    else { return .binary }
    let declared = TextCollation(named: String(cString: name))
    return [.binary, .nocase, .rtrim].first { $0 == declared } ?? declared
  }
}
