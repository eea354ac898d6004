internal import Sectile

/// Finds out how many values other types would change, by storing each in a column of the type.
struct ValueChanges {
  private let connection: InspectionConnection

  /// Creates a counter for a connection that may write temporary tables.
  init(on connection: InspectionConnection) {
    self.connection = connection
  }

  /// The values of a column that another type would make others.
  struct Change {
    /// The column.
    let column: String
    /// How many there are.
    let count: Int
    /// Some of them, as in `'007' → 7`.
    let examples: [String]

    /// The change in words, as in `2 values of n ('007' → 7, '1e3' → 1000)`.
    var text: String {
      let more = count > examples.count ? ", …" : ""
      return "\(CountText.text(count, "value")) of \(column) "
        + "(\(examples.joined(separator: ", "))\(more))"
    }
  }

  /// How many values of a column are named.
  private static let exampleCount = 3

  /// Returns what would be lost of values, column by column.
  ///
  /// A text of a number that becomes this number is none of it, nor is a number that becomes its
  /// text: each makes the other again.
  ///
  /// - Parameters:
  ///   - types: Columns with their new types.
  ///   - schema: The table.
  /// - Returns: The columns in which values would change.
  /// - Throws: ``CommandFailure`` for values that the type refuses; ``StoreError``.
  func changes(
    of types: [(column: String, type: String)], in schema: TableSchema
  ) throws -> [Change] {
    try types.compactMap { try change($0.column, $0.type, schema) }
  }

  private func change(
    _ name: String, _ type: String, _ schema: TableSchema
  ) throws -> Change? {
    let isStrict = schema.listing.isStrict
    let column = SQLName.quote(name)
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
    var count = 0
    var examples: [String] = []
    let statement = try connection.prepare(
      """
      SELECT old, new FROM temp.sectile_values WHERE NOT CASE
        WHEN typeof(new) = typeof(old) THEN new COLLATE BINARY IS +old
        WHEN typeof(old) = 'text' THEN CAST(new AS TEXT) COLLATE BINARY IS old
        WHEN typeof(new) = 'text' AND typeof(old) = 'integer' THEN CAST(new AS INTEGER) IS old
        WHEN typeof(new) = 'text' AND typeof(old) = 'real' THEN CAST(new AS REAL) IS old
        ELSE 0 END
      """)
    try statement.run { row in
      count += 1
      guard examples.count < Self.exampleCount else { return }
      examples.append(row.map(Self.text).joined(separator: " → "))
    }
    return count == 0 ? nil : Change(column: name, count: count, examples: examples)
  }

  private static func text(_ value: StoredValue) -> String {
    let text = value.description
    return text.unicodeScalars.count > 40 ? String(text.unicodeScalars.prefix(40)) + "…" : text
  }
}
