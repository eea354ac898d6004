package import Sectile
internal import SectilePresenting

/// Writes rows as SQL: statements that insert them, or their values alone.
package final class LiteralRowWriter: RowWriting {
  private let table: String?
  private let output: any RowOutput
  private let isTerminal: Bool
  private var columns: [String]
  private var literals: SQLLiterals?

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - table: The table to insert into; nil for values alone.
  ///   - columns: The columns' names; empty where they are not written.
  ///   - output: Where the rows go.
  ///   - isTerminal: Whether that is a terminal, which gets no data as it is.
  package init(into table: String?, columns: [String], output: any RowOutput, isTerminal: Bool) {
    self.table = table
    self.columns = columns
    self.output = output
    self.isTerminal = isTerminal
  }

  package func write(_ values: [StoredValue]) throws { try write(values, invalidText: []) }

  package func write(_ values: [StoredValue], invalidText: [Int]) throws {
    try writeHeader()
    var texts = try values.map(text)
    for column in invalidText { texts[column] = "CAST(\(texts[column]) AS TEXT)" }
    let list = texts.joined(separator: ",")
    guard let table else { return try output.write(list + "\n") }
    let names =
      columns.isEmpty ? "" : "(" + columns.map { name($0) }.joined(separator: ",") + ")"
    try output.write("INSERT INTO \(name(table))\(names) VALUES(\(list));\n")
  }

  package func finish() throws {
    try writeHeader()
  }

  private func writeHeader() throws {
    guard table == nil, !columns.isEmpty else { return }
    try output.write(
      columns.map { Self.text(of: $0, isTerminal) }.joined(separator: ",") + "\n")
    columns = []
  }

  private func name(_ name: String) -> String {
    let text = SQLNameText.text(of: name)
    return isTerminal ? TerminalText.escaped(text) : text
  }

  private func text(of value: StoredValue) throws -> String {
    if case .text(let text) = value { return Self.text(of: text, isTerminal) }
    let literals = try self.literals ?? SQLLiterals(InspectionConnection.inMemory())
    self.literals = literals
    return try literals.text(of: value) { [] }
  }

  /// Returns text as SQL; what cannot stand in quotes is named by its number.
  private static func text(of text: String, _ isTerminal: Bool) -> String {
    func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
      // A shell may take the return before a line feed for the line's end.
      scalar == "\0" || scalar == "\r" || (isTerminal && TerminalText.isUnsafe(scalar))
    }
    if !text.unicodeScalars.contains(where: isSpecial) { return SQLLiterals.quoted(text) }
    var parts: [String] = []
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      let isNumbered = isSpecial(first)
      let part = rest.prefix { isSpecial($0) == isNumbered }
      rest = rest[part.endIndex...]
      parts.append(
        isNumbered
          ? "char(" + part.map { "\($0.value)" }.joined(separator: ",") + ")"
          : SQLLiterals.quoted(String(part)))
    }
    return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: "||") + ")"
  }
}
