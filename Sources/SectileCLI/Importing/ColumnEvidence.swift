internal import Sectile

/// What the values of a column have in common, and the type that follows from it.
///
/// A type is chosen so that no value of the column is changed by it.
struct ColumnEvidence {
  private var hasInteger = false
  private var hasWideInteger = false
  private var hasReal = false
  private var hasBlob = false
  private var hasText = false
  private var hasTypedNumber = false

  /// Takes a value into account.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isTyped: Whether the input tells text from numbers, so that a text is nothing else.
  mutating func add(_ value: StoredValue, isTyped: Bool) {
    switch value {
    case .null: break
    case .integer(let number):
      hasInteger = true
      hasTypedNumber = true
      if number.magnitude > 1 << 53 { hasWideInteger = true }
    case .real:
      hasReal = true
      hasTypedNumber = true
    case .blob: hasBlob = true
    case .text(let text):
      // Once there is text, nothing else is left to learn of it.
      if isTyped || hasText { return hasText = true }
      switch NumberText(text) {
      case .integer(let isWide):
        hasInteger = true
        if isWide { hasWideInteger = true }
      case .real: hasReal = true
      case .blob: hasBlob = true
      case .text: hasText = true
      }
    }
  }

  /// The type for the column; empty where values of several kinds are best left as they are.
  var type: String {
    let hasNumber = hasInteger || hasReal
    if hasText || (hasBlob && hasNumber) { return hasTypedNumber ? "" : "TEXT" }
    if hasBlob { return "BLOB" }
    if hasReal {
      // A double would round the wide integers.
      return hasWideInteger ? (hasTypedNumber ? "" : "TEXT") : "REAL"
    }
    return hasInteger ? "INTEGER" : "TEXT"
  }
}
