package import Sectile

extension TableRequest {
  /// Returns what is known about the table, or the query, in a store: of a view or a query also the
  /// key, where its text says what tells rows apart.
  ///
  /// - Parameters:
  ///   - file: What messages call the database.
  ///   - transaction: The transaction in which it is found out.
  ///   - looksIntoText: Whether the text of a view or a query is looked into.
  /// - Returns: The shape.
  /// - Throws: ``RequestError`` for a name that the schema does not have; `StoreError`, also for
  ///   SQL of a query that SQLite refuses.
  package func shape(
    in file: String, on transaction: StoreReadTransaction, looksIntoText: Bool
  ) throws -> TableShape {
    guard let query else {
      let shape = try TableShape(of: table, in: file, on: transaction)
      guard looksIntoText, shape.isView, keys.isEmpty else { return shape }
      let rows = SQLFragment("SELECT * FROM \(SQLName.table(shape.name))")
      return shape.withKey(try transaction.likelyKey(of: rows, mayBeNull: false))
    }
    let select = try query.makeSelect()
    let columns = try transaction.selectedColumns(of: select, named: table)
    try columns.checkAreUnique()
    let shape = TableShape(query: table, columns: columns.names)
    guard looksIntoText, keys.isEmpty else { return shape }
    return shape.withKey(try transaction.likelyKey(of: select))
  }

  /// Returns what is known about the table, or the query, in a file that is only looked into.
  ///
  /// - Parameter connection: The connection.
  /// - Returns: The shape; a query has no key in it.
  /// - Throws: As ``shape(in:on:looksIntoText:)``.
  package func shape(on connection: InspectionConnection) throws -> TableShape {
    guard let query else { return try TableShape(of: table, in: connection.path, on: connection) }
    let columns = try SelectedColumns(of: query.makeSelect(), named: table, on: connection)
    try columns.checkAreUnique()
    return TableShape(query: table, columns: columns.names)
  }
}
