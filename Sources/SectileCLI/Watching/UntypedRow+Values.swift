internal import Sectile

extension UntypedRow {
  /// Returns a column's value as people are shown it: text that is not UTF-8 is marked.
  func shownValue(of column: String) -> StoredValue {
    let value = row[column] ?? .null
    guard case .blob(let bytes) = value, invalidTextColumns.contains(column) else { return value }
    return .text(InvalidText.marked(bytes))
  }

  /// Returns a column's value in JSON; see ``ValueText/json(_:)-(StoredValue)``.
  func json(of column: String) -> String {
    let value = row[column] ?? .null
    guard case .blob(let bytes) = value, invalidTextColumns.contains(column) else {
      return ValueText.json(value)
    }
    return ValueText.json(invalidText: bytes)
  }
}
