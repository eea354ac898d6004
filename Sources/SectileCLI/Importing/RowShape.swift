internal import Sectile

/// What becomes of the columns of an input, up to where it names others.
struct RowShape {
  /// The columns of the input.
  let inputs: [String]
  /// The columns of the table, and where their values come from.
  let columns: [(name: String, source: ImportedColumn.Source)]
  /// What computes values; nil where nothing is computed.
  let evaluator: RowEvaluator?

  /// Applies a transform to columns.
  ///
  /// - Throws: ``CommandFailure`` for what the columns do not allow.
  init(
    _ inputs: [String], _ transform: RowTransform, in source: String,
    on connection: InspectionConnection
  ) throws {
    self.inputs = inputs
    columns = try transform.columns(of: inputs, in: source)
    evaluator = try transform.evaluator(of: inputs, on: connection)
  }

  /// Refuses a name that two columns have.
  ///
  /// - Parameter source: What messages call the input.
  /// - Throws: ``CommandFailure``.
  func refuseTwins(in source: String) throws {
    var seen: Set<String> = []
    for (name, _) in columns where !seen.insert(name.lowercased()).inserted {
      throw CommandFailure(
        .data, "\(source) has the column '\(name)' twice",
        hint: "Name the columns with --columns, or another with --map.")
    }
  }

  /// Returns the computed values of a row of separated values.
  func computed(_ row: SeparatedRow, by rules: FieldRules) throws -> ImportedValues {
    guard let evaluator else { return ImportedValues() }
    return try evaluator.values(for: row, inputs.count, by: rules)
  }

  /// Returns the computed values of a row whose values have types.
  func computed(_ row: ImportedValues) throws -> ImportedValues {
    try evaluator?.values(for: row) ?? ImportedValues()
  }
}
