internal import GRDB
internal import SectileCore

extension LogOperation {
  /// Appends a row that names no key.
  ///
  /// - Parameters:
  ///   - table: The number of the table; zero for none.
  ///   - db: The writing connection, inside a transaction.
  /// - Throws: What writing throws.
  func append(of table: Int64 = 0, in db: Database) throws {
    let statement = try RawStatement.cached(
      "INSERT INTO main.sectile_log (tbl, op, salt) VALUES (?, ?, random())", on: db)
    try statement.bindAll([.integer(table), .integer(rawValue)])
    try statement.run()
  }
}
