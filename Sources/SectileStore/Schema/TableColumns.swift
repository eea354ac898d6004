package import GRDB
internal import SectileCore

/// What the schema says about the columns of one table.
package struct TableColumns: Sendable {
  /// A column.
  package struct Column: Hashable, Sendable {
    /// The name, as the table declares it.
    package let name: String
    /// How text in it compares where nothing else is said.
    package let collation: TextCollation
    /// Whether it may hold NULL.
    package let isNullable: Bool
    /// Whether it is the row id.
    package let isRowID: Bool

    /// What EXPLAIN QUERY PLAN may call it where an index is searched.
    ///
    /// The row id goes by its own name where an index lists it, and not where it is implied.
    var searchNames: [String] { isRowID ? ["rowid", name] : [name] }
  }

  private let columns: [String: Column]

  /// Returns a column; nil if there is none of the name.
  ///
  /// The row id is a column under each of its three names.
  package func column(named name: String) -> Column? { columns[name.lowercased()] }

  /// Reads the schema; nil for a view, a virtual table, and where there is no such table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - db: The database.
  /// - Throws: What reading throws.
  package init?(of table: String, in db: Database) throws(StoreError) {
    guard let schema = try TableSchema(of: table, in: db), schema.kind.isStored else { return nil }
    var columns: [String: Column] = [:]
    for column in schema.columns {
      let isRowID = column.name == schema.rowIDColumn
      columns[column.name.lowercased()] = Column(
        name: column.name, collation: column.collation,
        isNullable: !column.isNotNull && !isRowID, isRowID: isRowID)
    }
    for name in schema.rowIDNames {
      columns[name] = Column(name: name, collation: .binary, isNullable: false, isRowID: true)
    }
    self.columns = columns
  }
}
