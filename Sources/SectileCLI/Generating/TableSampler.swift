internal import Sectile

/// Looks at some rows of a table: the first and the last by row id.
struct TableSampler {
  /// How many rows of a table are read at most.
  static let rowLimit = 10_000

  /// The connection.
  let connection: InspectionConnection

  /// Looks at the stored columns of a table.
  ///
  /// A table WITHOUT ROWID is read from its beginning only: its end may need a sort of all rows.
  ///
  /// - Parameter schema: The table.
  /// - Returns: What each column holds, by its name.
  /// - Throws: ``StoreError`` where rows cannot be read.
  /// - Complexity: O(log *n*) for the rows that are not read.
  func samples(of schema: TableSchema) throws -> [String: ColumnSample] {
    let columns = schema.columns.filter { $0.origin == .written }
    var samples = columns.map { _ in ColumnSample() }
    let texts = columns.map { column in
      let name = SQLName.quote(column.name)
      return """
        CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, \(ColumnSample.textLimit + 1))
        WHEN 'blob' THEN substr(\(name), 1, 17) ELSE \(name) END
        """
    }
    guard !texts.isEmpty else { return [:] }
    let table = SQLName.table(schema.name)
    func read(_ rest: String, _ values: [StoredValue]) throws {
      let statement = try connection.prepare(
        "SELECT \(texts.joined(separator: ", ")) FROM \(table) \(rest)")
      statement.keepsInvalidText = true
      try statement.run(values) { row in
        let invalid = statement.invalidTextColumns
        for (offset, value) in row.enumerated() where offset < samples.count {
          if invalid.contains(offset) {
            samples[offset].addInvalidText()
          } else {
            samples[offset].add(value)
          }
        }
      }
    }
    guard let id = schema.rowIDNames.first ?? schema.rowIDColumn.map({ SQLName.quote($0) }) else {
      try read("NOT INDEXED LIMIT \(Self.rowLimit)", [])
      return named(columns, samples)
    }
    let half = Self.rowLimit / 2
    var boundary: StoredValue?
    let search = try connection.prepare(
      "SELECT \(id) FROM \(table) ORDER BY \(id) LIMIT 1 OFFSET \(half - 1)")
    try search.run { boundary = $0.first }
    try read("ORDER BY \(id) LIMIT \(half)", [])
    if let boundary {
      try read("WHERE \(id) > ? ORDER BY \(id) DESC LIMIT \(half)", [boundary])
    }
    return named(columns, samples)
  }

  private func named(
    _ columns: [TableSchema.Column], _ samples: [ColumnSample]
  ) -> [String: ColumnSample] {
    Dictionary(zip(columns.map(\.name), samples), uniquingKeysWith: { first, _ in first })
  }
}
