extension SelectedColumns {
  /// Finds out the columns of a query in a file that is only looked into.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - name: What it is called.
  ///   - connection: The connection.
  /// - Throws: `invalidRequest` for what is not one SELECT, writes, or binds otherwise than by `?`
  ///   marks with a value for each; what SQLite says of the text.
  package init(
    of query: SQLFragment, named name: String, on connection: InspectionConnection
  ) throws(StoreError) {
    try self.init(of: query, named: name) { sql throws(StoreError) -> Facts in
      let statement = try connection.prepare(sql)
      return withExtendedLifetime(statement) { Facts(statement.raw) }
    }
  }
}
