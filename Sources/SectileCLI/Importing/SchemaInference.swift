internal import Sectile
internal import SectileInspecting

/// Learns the columns of a table from all rows of the inputs.
struct SchemaInference {
  private var columns: [(name: String, evidence: ColumnEvidence)] = []
  private var positions: [String: Int] = [:]
  private var current: [Int] = []
  // The types that inputs declare, by the columns' names in lower case.
  private var declared: [String: String] = [:]
  /// Whether the types are wanted, or the names only.
  let readsValues: Bool
  /// Whether no value may change its storage class: integers among reals stay integers.
  var isExact = false

  /// Creates an inference without columns.
  init(readsValues: Bool) {
    self.readsValues = readsValues
  }

  /// Takes the types into account that an input declares.
  ///
  /// - Parameters:
  ///   - types: The types by the input's columns in lower case.
  ///   - shape: What becomes of the input's columns.
  mutating func declare(_ types: [String: String], _ shape: RowShape) {
    if types.isEmpty { return }
    for column in shape.columns {
      guard case .input(let position) = column.source else { continue }
      declared[column.name.lowercased()] = types[shape.inputs[position].lowercased()]
    }
  }

  /// Takes a record into account.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - shape: What becomes of the columns that the last record of columns named.
  /// - Throws: ``StoreError`` where an expression fails.
  mutating func add(_ record: ImportRecord, _ shape: RowShape?) throws {
    switch record {
    case .bad: break
    case .columns:
      current = (shape?.columns ?? []).map { name, _ in
        let key = name.lowercased()
        if let position = positions[key] { return position }
        positions[key] = columns.count
        columns.append((name, ColumnEvidence()))
        return columns.count - 1
      }
    case .row(_, let values, let invalidText):
      guard readsValues, let shape else { return }
      let row = ImportedValues(values: values, invalidText: invalidText)
      let computed = try shape.computed(row)
      for (column, position) in zip(shape.columns, current) {
        switch column.source {
        case .input(let source): add(row, source, to: position)
        case .computed(let source): add(computed, source, to: position)
        }
      }
    case .fields(let row, let rules):
      guard readsValues, let shape else { return }
      let computed = try shape.computed(row, by: rules)
      for (column, position) in zip(shape.columns, current) {
        switch column.source {
        case .input(let source): columns[position].evidence.add(row[source], by: rules)
        case .computed(let source): add(computed, source, to: position)
        }
      }
    }
  }

  private mutating func add(_ row: ImportedValues, _ source: Int, to position: Int) {
    let isText = !row.invalidText.isEmpty && row.invalidText.contains(source)
    columns[position].evidence.add(isText ? .text("") : row.values[source])
  }

  /// Returns the statement that creates the table.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - types: The types that were asked for, by the column's name in lower case.
  ///   - fallback: The type of all other columns; nil for the one that was learned.
  ///   - key: The columns of the primary key.
  /// - Returns: The statement.
  /// - Throws: ``CommandFailure`` where there are no columns, and for a name that is none of them.
  func statement(
    table: String, types: [String: String], fallback: String?, key: [String]
  ) throws -> String {
    if columns.isEmpty {
      throw CommandFailure(
        .data, "the input names no columns, so there is nothing to make a table of",
        hint: "Give the table's columns with --schema.")
    }
    for name in Array(types.keys) + key where positions[name.lowercased()] == nil {
      throw CommandFailure(
        .data, "the input has no column '\(name)'",
        hint: Spelling.question(for: name, in: columns.map(\.name))
          + "Its columns are: \(columns.map(\.name).joined(separator: ", ")).")
    }
    let keys = Set(key.map { $0.lowercased() })
    let definitions = columns.map { name, evidence in
      var words = [SQLName.quote(name)]
      words.append(
        types[name.lowercased()] ?? fallback ?? declared[name.lowercased()]
          ?? evidence.type(isExact: isExact))
      if keys.contains(name.lowercased()) {
        words.append(keys.count == 1 ? "PRIMARY KEY NOT NULL" : "NOT NULL")
      }
      return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
    let primary =
      key.count > 1
      ? [
        "PRIMARY KEY ("
          + key.map { SQLName.quote(columns[positions[$0.lowercased()] ?? 0].name) }
          .joined(separator: ", ") + ")"
      ]
      : []
    let body = (definitions + primary).map { "  " + $0 }.joined(separator: ",\n")
    return "CREATE TABLE \(SQLName.quote(table)) (\n\(body)\n)"
  }
}
