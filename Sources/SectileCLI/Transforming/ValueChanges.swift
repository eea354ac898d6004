internal import Sectile

/// Finds out how many values other types would change, by storing each in a column of the type.
struct ValueChanges {
  private let connection: InspectionConnection

  /// Creates a counter for a connection that may write temporary tables.
  init(on connection: InspectionConnection) {
    self.connection = connection
  }

  /// Returns the columns in which values would change, and how many.
  ///
  /// - Parameters:
  ///   - types: Columns with their new types.
  ///   - schema: The table.
  /// - Returns: Those columns.
  /// - Throws: ``CommandFailure`` for values that the type refuses; ``StoreError``.
  func counts(
    of types: [(column: String, type: String)], in schema: TableSchema
  ) throws -> [(column: String, count: Int)] {
    var counts: [(column: String, count: Int)] = []
    for (column, type) in types {
      let count = try count(column, type, schema)
      if count > 0 { counts.append((column, count)) }
    }
    return counts
  }

  private func count(_ column: String, _ type: String, _ schema: TableSchema) throws -> Int {
    let isStrict = schema.listing.isStrict
    let column = SQLName.quote(column)
    try connection.run("DROP TABLE IF EXISTS temp.sectile_values") { _ in }
    try connection.run(
      "CREATE TABLE temp.sectile_values (new \(type), old \(isStrict ? "ANY" : "BLOB"))"
        + (isStrict ? " STRICT" : "")
    ) { _ in }
    defer { _ = try? connection.run("DROP TABLE temp.sectile_values") { _ in } }
    do {
      try connection.run(
        "INSERT INTO temp.sectile_values SELECT \(column), \(column) "
          + "FROM \(SQLName.table(schema.name))"
      ) { _ in }
    } catch let error as StoreError where error.isConstraint {
      throw CommandFailure(
        .data, "values of \(column) do not fit the type \(type): \(error.plainText)",
        hint: "Change those rows first; nothing was changed.")
    }
    let count = try connection.firstValue(
      """
      SELECT count(*) FROM temp.sectile_values
      WHERE typeof(new) <> typeof(old) OR new COLLATE BINARY IS NOT +old
      """)
    guard case .integer(let number)? = count else { return 0 }
    return Int(clamping: number)
  }
}
