internal import Sectile
internal import SectileInspecting

/// What is made of an input's columns on their way into a table: other names, and expressions.
///
/// An expression is SQL, computed by SQLite for each row; it knows the input's columns by their
/// names in the input, and the tables of the database.
struct RowTransform {
  /// An expression and the column it is for.
  struct Expression {
    let column: String
    let sql: String
  }

  /// The table's columns by those of the input, in lower case; an empty name leaves a column out.
  var names: [String: String] = [:]
  /// The expressions, in the order in which they were given.
  var expressions: [Expression] = []

  /// Returns the columns that an input fills: the table's name, and where the values come from.
  ///
  /// - Parameters:
  ///   - inputs: The input's columns.
  ///   - source: What messages call the input.
  /// - Returns: The columns, in the order of the input, then those of expressions.
  /// - Throws: ``CommandFailure`` for a renamed column that the input does not have.
  func columns(
    of inputs: [String], in source: String
  ) throws -> [(name: String, source: ImportedColumn.Source)] {
    let known = Set(inputs.map { $0.lowercased() })
    for name in names.keys.sorted() where !known.contains(name) {
      throw CommandFailure(
        .data, "\(source) has no column '\(name)' to rename",
        hint: Spelling.question(for: name, in: inputs)
          + "Its columns are: \(inputs.joined(separator: ", ")).")
    }
    let computed = Set(expressions.map { $0.column.lowercased() })
    var result: [(name: String, source: ImportedColumn.Source)] = []
    for (position, input) in inputs.enumerated() {
      let name = names[input.lowercased()] ?? input
      if name.isEmpty && names[input.lowercased()] != nil { continue }
      if !computed.contains(name.lowercased()) { result.append((name, .input(position))) }
    }
    for (position, expression) in expressions.enumerated() {
      result.append((expression.column, .computed(position)))
    }
    return result
  }

  /// Prepares the expressions; nil where there are none.
  ///
  /// - Throws: ``CommandFailure`` for SQL that SQLite refuses.
  func evaluator(
    of inputs: [String], on connection: InspectionConnection
  ) throws -> RowEvaluator? {
    if expressions.isEmpty { return nil }
    return try RowEvaluator(expressions, of: inputs, on: connection)
  }
}

/// Computes the expressions of a ``RowTransform`` for rows with the same columns.
final class RowEvaluator {
  private let statement: InspectionStatement

  fileprivate init(
    _ expressions: [RowTransform.Expression], of inputs: [String],
    on connection: InspectionConnection
  ) throws {
    let marks = inputs.enumerated().map { "?\($0 + 1) AS \(SQLName.quote($1))" }
    let terms = expressions.map { "(\($0.sql)\n)" }
    let sql =
      "SELECT \(terms.joined(separator: ", ")) FROM (SELECT \(marks.joined(separator: ", ")))"
    do {
      statement = try connection.prepare(sql)
    } catch {
      throw CommandFailure(
        .data, "SQLite refuses --transform: \(error.message)",
        hint: "The input's columns are: \(inputs.joined(separator: ", ")).")
    }
    guard statement.columnNames.count == expressions.count, statement.isReadOnly else {
      throw CommandFailure(
        .usage, "--transform takes one expression for one column",
        hint: "Repeat it for more: --transform 'a=trim(a)' --transform 'b=b * 2'.")
    }
    statement.keepsInvalidText = true
  }

  /// Returns what the expressions yield for a row.
  ///
  /// - Throws: ``StoreError`` where SQLite fails, as over damaged JSON.
  func values(for row: ImportedValues) throws -> ImportedValues {
    defer { statement.reset() }
    try statement.start(row.values, invalidText: row.invalidText)
    guard let values = try statement.next() else { return ImportedValues() }
    return ImportedValues(values: values, invalidText: statement.invalidTextColumns)
  }

  /// Returns what the expressions yield for a row of separated values.
  func values(for row: SeparatedRow, _ count: Int, by rules: FieldRules) throws -> ImportedValues {
    var plain = ImportedValues()
    for position in 0..<count {
      let (value, isInvalid) = rules.plainValue(of: row[position])
      plain.values.append(value)
      if isInvalid { plain.invalidText.append(position) }
    }
    return try values(for: plain)
  }
}
