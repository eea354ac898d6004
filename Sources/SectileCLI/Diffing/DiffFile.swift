internal import Sectile

/// A file that is compared, in one state of it.
final class DiffFile {
  /// Its path.
  let path: String
  /// The connection, in a transaction that ends with it.
  let connection: InspectionConnection
  /// The collation by which texts have one order in all files, whatever their encoding.
  let collation: String

  /// Opens a file, and holds on to one state of it.
  ///
  /// - Throws: ``StoreError``.
  init(path: String) throws {
    self.path = path
    connection = try InspectionConnection(path: path)
    try connection.prepare("BEGIN").run()
    let isUTF8 = try connection.firstValue("PRAGMA encoding") == .text("UTF-8")
    // Indexes have the order of the file's own bytes, which is that of UTF-8 in most files.
    collation = isUTF8 ? "BINARY" : InspectionConnection.byteOrder
    if !isUTF8 { try connection.addByteOrder() }
  }

  /// Returns the number that a statement yields.
  func integer(_ sql: String) throws -> Int64 {
    guard case .integer(let number)? = try connection.firstValue(sql) else { return 0 }
    return number
  }

  /// Returns the highest key of each table with AUTOINCREMENT, by the tables' names.
  func sequences() throws -> [String: Int64] {
    var sequences: [String: Int64] = [:]
    guard try integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0
    else { return sequences }
    try connection.run("SELECT name, seq FROM sqlite_sequence") { row in
      if case .text(let name) = row[0], case .integer(let number) = row[1] {
        sequences[name] = number
      }
    }
    return sequences
  }
}
