internal import Sectile

/// Writes a JSON object for each row: one a line, or all in an array.
///
/// What JSON has no word for is tagged; see ``ValueText``.
final class JSONRowWriter: RowWriting {
  private let output: Output
  private let names: [String]
  private let isArray: Bool
  private var isFirst = true

  init(columns: [String], isArray: Bool, output: Output) {
    self.output = output
    self.isArray = isArray
    names = columns.map(ValueText.json)
  }

  func write(_ values: [StoredValue]) throws {
    let members = zip(names, values).map { "\($0):\(ValueText.json($1))" }
    let object = "{" + members.joined(separator: ",") + "}"
    if isArray {
      try output.write((isFirst ? "[" : ",\n") + object)
    } else {
      try output.line(object)
    }
    isFirst = false
  }

  func finish() throws {
    if isArray { try output.line(isFirst ? "[]" : "]") }
  }
}
