internal import Sectile
internal import SectileInspecting

/// What the values of a column have in common, and the type that follows from it.
///
/// A type is chosen so that no value of the column is changed by it, but for integers among reals,
/// which become reals.
struct ColumnEvidence {
  private var hasInteger = false
  private var hasWideInteger = false
  private var hasReal = false
  private var hasLooseReal = false
  private var hasBlob = false
  // Text that is told from numbers, by quotes or by the format, and text that is not.
  private var hasText = false
  private var hasLooseText = false

  /// Takes a value into account that has a type of its own.
  mutating func add(_ value: StoredValue) {
    switch value {
    case .null: break
    case .integer(let number):
      hasInteger = true
      if number.magnitude > 1 << 53 { hasWideInteger = true }
    case .real: hasReal = true
    case .blob: hasBlob = true
    case .text: hasText = true
    }
  }

  /// Takes a field of separated values into account.
  mutating func add(_ field: SeparatedField, by rules: FieldRules) {
    // Once there is such text, nothing else is left to learn.
    if hasLooseText { return }
    if field.isQuoted {
      if rules.quotesTell || field.bytes.isEmpty { return hasText = true }
    } else if let marked = rules.marked(field.bytes) {
      if case .value(let value) = marked { return add(value) }
      return hasText = true
    }
    switch NumberText(field.bytes) {
    case .integer(let isWide):
      hasInteger = true
      if isWide { hasWideInteger = true }
    case .real:
      hasReal = true
      if NumberText.canonical(field.bytes) == nil { hasLooseReal = true }
    case .blob, .text: hasLooseText = true
    }
  }

  /// Returns the type for the column.
  ///
  /// - Parameter isExact: Whether integers among reals stay what they are, too.
  /// - Returns: The type; empty where values of several kinds are best left as they are.
  func type(isExact: Bool) -> String {
    let hasNumber = hasInteger || hasReal
    if hasLooseText { return "TEXT" }
    if hasText { return hasNumber ? "" : "TEXT" }
    if hasBlob { return hasNumber ? "" : "BLOB" }
    if hasReal && hasInteger && isExact { return "" }
    if hasReal {
      // A double would round the wide integers.
      return hasWideInteger ? (hasLooseReal ? "TEXT" : "") : "REAL"
    }
    return hasInteger ? "INTEGER" : "TEXT"
  }
}
