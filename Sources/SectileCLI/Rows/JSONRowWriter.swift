internal import Sectile

/// Writes a JSON object for each row: one a line, or all in an array.
///
/// What JSON has no word for is tagged; see ``ValueText``.
final class JSONRowWriter: RowWriting {
  private let output: Output
  /// What comes before each value.
  private let heads: [String]
  private let isArray: Bool
  private var isFirst = true

  init(columns: [String], isArray: Bool, output: Output) {
    self.output = output
    self.isArray = isArray
    heads = columns.enumerated().map { ($0 == 0 ? "{" : ",") + ValueText.json($1) + ":" }
  }

  func write(_ values: [StoredValue]) throws {
    try write(values, invalidText: [])
  }

  func write(_ values: [StoredValue], invalidText: [Int]) throws {
    // Value by value, so that a large row is not there once more.
    if isArray { try output.write(isFirst ? "[" : ",\n") }
    for (column, value) in values.enumerated() where column < heads.count {
      try output.write(heads[column])
      try write(value, isInvalidText: invalidText.contains(column))
    }
    try output.write(values.isEmpty ? "{}" : "}")
    if !isArray { try output.write("\n") }
    isFirst = false
  }

  private func write(_ value: StoredValue, isInvalidText: Bool) throws {
    guard case .blob(let bytes) = value else { return try output.write(ValueText.json(value)) }
    try output.write(#"{"\#(isInvalidText ? JSONTag.text : JSONTag.blob)":""#)
    try output.write(hexadecimal: bytes)
    try output.write(#""}"#)
  }

  func finish() throws {
    if isArray { try output.line(isFirst ? "[]" : "]") }
  }
}
