internal import Sectile
internal import SectileInspecting

/// A value that was read from JSON, tags included; the other way round is ``ValueText``.
enum JSONCell: Equatable {
  /// A value as SQLite stores it. `true` and `false` are 1 and 0.
  case value(StoredValue)
  /// Text that is not UTF-8, by its bytes: `{"$text":"ff"}`.
  case invalidText([UInt8])
  /// An array, or an object that is no tag, as JSON without space.
  case json(String)

  /// Returns the value that a number of JSON stands for: text where neither an integer of 64 bits
  /// nor a double can hold it.
  init(number text: String) {
    let isInteger = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 }
    if isInteger {
      self = .value(Int64(text).map { .integer($0) } ?? .text(text))
    } else if let number = Double(text), number.isFinite {
      self = .value(.real(number))
    } else {
      self = .value(.text(text))
    }
  }

  /// Reads a tag; nil for an object that is none.
  ///
  /// - Parameters:
  ///   - tag: The object's only name.
  ///   - text: What it stands for.
  init?(tag: String, text: String) {
    switch tag {
    case JSONTag.integer:
      guard let number = JSONTag.integer(text) else { return nil }
      self = .value(.integer(number))
    case JSONTag.blob:
      guard let bytes = StoredValue.bytes(hexadecimal: text) else { return nil }
      self = .value(.blob(bytes))
    case JSONTag.text:
      guard let bytes = StoredValue.bytes(hexadecimal: text) else { return nil }
      // What is UTF-8 after all is text like any other.
      self =
        String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .invalidText(bytes)
    case JSONTag.real:
      // What is no number is NULL in SQLite.
      if text == JSONTag.text(ofReal: .nan) {
        self = .value(.null)
        return
      }
      guard let number = NumberText.number(text) else { return nil }
      self = .value(.real(number))
    default: return nil
    }
  }
}
