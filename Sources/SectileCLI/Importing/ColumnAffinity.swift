internal import Sectile

/// What a column makes of the values put into it, by SQLite's rules for the declared type.
enum ColumnAffinity {
  case text
  case integer
  case real
  case numeric
  /// A column that is said to hold blobs.
  case blob
  /// A column that keeps every value as it is.
  case none

  /// Tells the affinity by the declared type.
  init(declaredType: String) {
    let type = declaredType.uppercased()
    func names(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    if names("INT") {
      self = .integer
    } else if names("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if names("BLOB") {
      self = .blob
    } else if type.isEmpty {
      self = .none
    } else {
      self = names("REAL", "FLOA", "DOUB") ? .real : .numeric
    }
  }

  /// Returns a value of an input as it is bound; SQLite does the rest.
  ///
  /// Decimal numbers are read here, since SQLite's own conversion may miss the last bit; blobs are
  /// written in hexadecimal.
  ///
  /// - Parameters:
  ///   - value: What the input holds.
  ///   - isTyped: Whether the input tells text from numbers, as JSON does.
  /// - Returns: The value.
  func converted(_ value: StoredValue, isTyped: Bool) -> StoredValue {
    switch (self, value) {
    case (.text, .real(let number)): return .text("\(number)")
    case (.integer, .text(let text)), (.numeric, .text(let text)), (.real, .text(let text)):
      // `Int64` takes what SQLite would take, `007` and `+1` among it, with the same result.
      if let number = Int64(text) { return .integer(number) }
      // All digits, but too many: SQLite knows what to make of it.
      if self != .real && text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return value }
      return NumberText.number(text).map { .real($0) } ?? value
    case (.blob, .text(let text)):
      if let bytes = NumberText.blob(text) { return .blob(bytes) }
      guard isTyped, let bytes = NumberText.hexadecimal(Array(text.utf8)) else { return value }
      return .blob(bytes)
    default: return value
    }
  }
}
