extension StoreReadTransaction {
  /// Returns the columns of a SELECT, as plans of it name them.
  ///
  /// - Parameters:
  ///   - select: The SELECT, with a plain `?` for each value.
  ///   - name: What its rows are called.
  /// - Returns: The columns.
  /// - Throws: ``StoreError``: `invalidRequest` for what is not one SELECT; what SQLite says of the
  ///   text.
  package func selectedColumns(
    of select: SQLFragment, named name: String
  ) throws(StoreError) -> SelectedColumns {
    try checkActive()
    return try SelectedColumns(of: select, named: name, in: db)
  }

  /// Returns the columns that tell the rows of a SELECT apart for certain; nil where nobody can
  /// say.
  ///
  /// - Parameters:
  ///   - select: The SELECT, with a plain `?` for each value.
  ///   - mayBeNull: Whether they may be NULL, which is a key of a query, and none of a view.
  /// - Returns: The columns; see ``SelectReading/likelyKey``.
  /// - Throws: ``StoreError`` where the transaction has ended.
  package func likelyKey(
    of select: SQLFragment, mayBeNull: Bool = true
  ) throws(StoreError) -> [String]? {
    try checkActive()
    guard let reading = try? SelectReading(select, in: db) else { return nil }
    return mayBeNull ? reading.likelyKey : reading.likelyKeyWithoutNulls
  }
}
