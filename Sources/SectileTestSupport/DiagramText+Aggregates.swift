internal import SectileCore

/// Aggregates in a diagram: `[count=2 avg(size)=3.5 max(name)="zsh" min(x)=NULL]`.
extension DiagramText {
  /// Takes the aggregates off a section's head.
  ///
  /// - Parameter head: The head, without space around it.
  /// - Returns: What stands before the brackets, and the aggregates.
  /// - Throws: ``SectionDiagramError`` where the brackets hold something else.
  static func aggregates(
    behind head: Substring
  ) throws(SectionDiagramError) -> (Substring, AggregateValues) {
    let parts = split(head, at: { $0 == "[" }, most: 1)
    guard parts.count == 2, head.hasSuffix("]") else { return (head, .empty) }
    var names: [String] = []
    var values: [StoredValue] = []
    for word in split(parts[1].dropLast(), at: \.isWhitespace) where !word.isEmpty {
      let sides = split(word, at: { $0 == "=" }, most: 1)
      guard sides.count == 2, let value = value(sides[1]) else {
        throw SectionDiagramError("“\(word)” is no aggregate, such as count=2, in “\(head)”")
      }
      let name = unquoted(sides[0])
      guard !names.contains(name) else {
        throw SectionDiagramError("two aggregates are called “\(name)” in “\(head)”")
      }
      names.append(name)
      values.append(value)
    }
    return (
      trimmed(parts[0]), AggregateValues(AggregateValues.Storage(names: names, values: values))
    )
  }

  /// Returns the aggregates in brackets; the empty text where there are none.
  static func text(of aggregates: AggregateValues) -> String {
    if aggregates.isEmpty { return "" }
    let words = zip(aggregates.names, aggregates.values).map { name, value in
      let text = if case .text(let text) = value { inQuotes(text) } else { value.description }
      return "\(quoted(name, as: .aggregate))=\(text)"
    }
    return "[\(words.joined(separator: " "))]"
  }

  /// A value as `StoredValue` describes it, but for texts, which stand in double quotes.
  private static func value(_ text: Substring) -> StoredValue? {
    if text == "NULL" { return .null }
    if text.hasPrefix("\"") { return .text(unquoted(text)) }
    if text.hasPrefix("x'"), text.hasSuffix("'"), text.count > 2 {
      return StoredValue.bytes(hexadecimal: String(text.dropFirst(2).dropLast())).map(
        StoredValue.blob)
    }
    return Int64(text).map(StoredValue.integer) ?? Double(text).map(StoredValue.real)
  }
}
