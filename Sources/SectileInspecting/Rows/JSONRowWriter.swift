package import Sectile
internal import SectilePresenting

/// Writes a JSON object for each row: one a line, or all in an array.
///
/// What JSON has no word for is tagged; see `JSONTag`.
package final class JSONRowWriter: RowWriting {
  private let output: any RowOutput
  /// What comes before each value.
  private let heads: [String]
  private let isArray: Bool
  private var isFirst = true

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - columns: The columns' names.
  ///   - isArray: Whether the rows are one array, instead of one line each.
  ///   - output: Where the rows go.
  package init(columns: [String], isArray: Bool, output: any RowOutput) {
    self.output = output
    self.isArray = isArray
    heads = columns.enumerated().map { position, name in
      (position == 0 ? "{" : ",")
        + JSONRowWriter.text { JSONBytes.append(name, to: &$0, .terminal) } + ":"
    }
  }

  package func write(_ values: [StoredValue]) throws {
    try write(values, invalidText: [])
  }

  package func write(_ values: [StoredValue], invalidText: [Int]) throws {
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
    guard case .blob(let bytes) = value else {
      return try output.write(Self.text { JSONBytes.append(value, to: &$0, .terminal) })
    }
    try output.write(#"{"\#(isInvalidText ? JSONTag.text : JSONTag.blob)":""#)
    try output.write(hexadecimal: bytes)
    try output.write(#""}"#)
  }

  package func finish() throws {
    if isArray { try output.write(isFirst ? "[]\n" : "]\n") }
  }

  private static func text(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONEscaping {
  /// Writes everything a terminal could act upon by its number.
  package static let terminal = JSONEscaping.numbers(of: TerminalText.isUnsafe)
}
