internal import Sectile
internal import SectileInspecting

/// What the fields of separated values mean.
///
/// | Field | Means |
/// |---|---|
/// | nothing, or a word for NULL | NULL |
/// | `x'00ff'` | a blob |
/// | `t'00ff'` | text by its bytes, for what the format cannot hold: NUL, text that is not UTF-8 |
/// | `12`, `1.5`, `9e999` | a number, in a column that does not make text of it |
/// | anything in quotes | text |
/// | anything else | text |
///
/// A column of numbers makes a number of any text that is one, in quotes or not, as SQLite does.
final class FieldRules {
  /// What a field is put into a column as.
  enum Value {
    /// The bytes of the field, as text.
    case text
    /// Text of other bytes, which may not be UTF-8.
    case bytes([UInt8])
    case value(StoredValue)
  }

  /// Words without quotes that stand for NULL.
  let nullWords: [[UInt8]]
  /// Whether quotes tell text from numbers: not where even names that need none have them, since
  /// whoever wrote that put all fields into quotes.
  var quotesTell = true

  /// Creates rules.
  init(nullWords: [String] = []) {
    self.nullWords = nullWords.map { Array($0.utf8) }
  }

  /// Returns what a field is put into a column as.
  func value(of field: SeparatedField, for affinity: ColumnAffinity) -> Value {
    if !field.isQuoted, let value = marked(field.bytes) { return value }
    switch affinity {
    case .text: return .text
    case .integer, .numeric, .real:
      if let number = Self.integer(field.bytes) { return .value(.integer(number)) }
      // Words are common among numbers, and not to be looked at twice.
      guard let first = field.bytes.first, first < 0x3A else { return .text }
      return affinity.number(field.text).map { .value($0) } ?? .text
    case .blob, .none:
      if field.isQuoted { return .text }
      return NumberText.canonical(field.bytes).map { .value($0) } ?? .text
    }
  }

  /// Returns a field as a column without a type would keep it, and whether it is text that is not
  /// UTF-8, by its bytes.
  func plainValue(of field: SeparatedField) -> (value: StoredValue, isInvalidText: Bool) {
    switch value(of: field, for: .none) {
    case .text: (.text(field.text), false)
    case .value(let value): (value, false)
    case .bytes(let bytes):
      String(validating: bytes, as: UTF8.self).map { (.text($0), false) } ?? (.blob(bytes), true)
    }
  }

  /// Returns what a field without quotes stands for, whatever its column is; nil for a number or
  /// text.
  func marked(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    guard let first = bytes.first else { return .value(.null) }
    if !nullWords.isEmpty, nullWords.contains(where: { $0.elementsEqual(bytes) }) {
      return .value(.null)
    }
    if first == Self.blobSign {
      return NumberText.tagged(bytes, first).map { .value(.blob($0)) }
    }
    return first == Self.textSign ? NumberText.tagged(bytes, first).map { .bytes($0) } : nil
  }

  private static let blobSign = UInt8(ascii: "x")
  private static let textSign = UInt8(ascii: "t")

  /// Reads an integer of few digits; nil for all else.
  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let first = bytes.first, bytes.count <= 18 else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    if isNegative && bytes.count == 1 { return nil }
    var number: Int64 = 0
    for byte in bytes[(isNegative ? 1 : 0)...] {
      let digit = byte &- 0x30
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return isNegative ? -number : number
  }
}
