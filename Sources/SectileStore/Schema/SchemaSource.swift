package import GRDB
internal import GRDBSQLite
package import SectileCore

/// A connection that can be asked about its schema: a store's, or one that inspects a file.
package protocol SchemaSource {
  /// SQLite's own connection; nil once it is closed.
  var schemaConnection: OpaquePointer? { get }

  /// Runs a query about the schema and returns its rows.
  ///
  /// Text that is not UTF-8 is repaired: a damaged name must not hide the others.
  ///
  /// - Throws: ``StoreError`` where SQLite refuses the query.
  func schemaRows(_ sql: String, _ values: [StoredValue]) throws(StoreError) -> [[StoredValue]]
}

extension Database: SchemaSource {
  /// SQLite's own connection.
  package var schemaConnection: OpaquePointer? { sqliteConnection }

  /// Runs a query about the schema and returns its rows.
  ///
  /// - Throws: ``StoreError`` where SQLite refuses the query.
  package func schemaRows(
    _ sql: String, _ values: [StoredValue]
  ) throws(StoreError) -> [[StoredValue]] {
    let statement = try RawStatement.cached(sql, on: self)
    defer { statement.finish() }
    try statement.bindAll(values)
    var rows: [[StoredValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map(statement.repairedValue))
    }
    return rows
  }
}

extension RawStatement {
  /// A number, or text of whatever else the column holds.
  fileprivate func repairedValue(at column: Int) -> StoredValue {
    switch sqlite3_column_type(handle, CInt(column)) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(castInteger(at: column))
    default: .text(withTextBytes(at: column) { String(decoding: $0, as: UTF8.self) })
    }
  }
}
extension StoredValue {
  /// The text; empty for everything else.
  var schemaText: String { if case .text(let text) = self { text } else { "" } }
}
