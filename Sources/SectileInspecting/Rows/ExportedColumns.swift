package import Sectile

/// The columns of a table that is exported.
package struct ExportedColumns {
  /// The names; none where there is no such table, which somebody else tells.
  package let names: [String]
  /// The positions of columns that can hold numbers beside text.
  package let mixed: Set<Int>

  /// Finds the columns.
  ///
  /// - Parameters:
  ///   - table: The table or view.
  ///   - columns: The columns that were named; none for all that somebody writes: those that SQLite
  ///     generates cannot be imported.
  ///   - connection: The connection.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package init(of table: String, named columns: [String], on connection: InspectionConnection)
    throws
  {
    guard let schema = try TableSchema(of: table, in: connection) else {
      names = columns
      mixed = []
      return
    }
    let found =
      columns.isEmpty ? schema.columns.filter { $0.origin == .written }.map(\.name) : columns
    var types: [String: String] = [:]
    for column in schema.columns { types[column.name.lowercased()] = column.declaredType }
    // A view's columns have types by chance.
    let isTable = schema.kind != .view
    names = found
    mixed = Set(
      found.indices.filter { position in
        guard isTable, let type = types[found[position].lowercased()] else { return false }
        return ColumnAffinity(declaredType: type) != .text
      })
  }
}
