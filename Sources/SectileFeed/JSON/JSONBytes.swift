internal import SectileCore

/// Values as the bytes of JSON; what it has no word for is tagged, see ``JSONTag``.
enum JSONBytes {
  /// Appends an integer.
  static func append(_ number: some BinaryInteger, to bytes: inout [UInt8]) {
    if JSONTag.isExact(number) {
      bytes += String(number).utf8
    } else {
      append(tag: JSONTag.integer, String(number), to: &bytes)
    }
  }

  /// Appends a number; a point or an exponent tells it from an integer.
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    if number.isFinite {
      bytes += number.description.utf8
    } else {
      append(tag: JSONTag.real, JSONTag.text(ofReal: number), to: &bytes)
    }
  }

  /// Appends a number of single precision.
  static func append(_ number: Float, to bytes: inout [UInt8]) {
    if number.isFinite {
      bytes += number.description.utf8
    } else {
      append(Double(number), to: &bytes)
    }
  }

  /// Appends bytes.
  static func append(blob: [UInt8], to bytes: inout [UInt8]) {
    append(tag: JSONTag.blob, StoredValue.hexadecimal(blob), to: &bytes)
  }

  private static func append(tag: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += "{\"".utf8
    bytes += tag.utf8
    bytes += "\":\"".utf8
    bytes += text.utf8
    bytes += "\"}".utf8
  }

  /// Appends a text in quotes, without line breaks.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { characters in
      if characters.contains(where: isEscaped) {
        for character in characters { append(escaped: character, to: &bytes) }
      } else {
        bytes.append(contentsOf: characters)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ character: UInt8) -> Bool {
    character < 0x20 || character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\")
      || character == 0x7F
  }

  private static func append(escaped character: UInt8, to bytes: inout [UInt8]) {
    guard isEscaped(character) else { return bytes.append(character) }
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), character]
    case UInt8(ascii: "\n"): bytes += "\\n".utf8
    case UInt8(ascii: "\r"): bytes += "\\r".utf8
    case UInt8(ascii: "\t"): bytes += "\\t".utf8
    default:
      bytes += "\\u00".utf8
      bytes += StoredValue.hexadecimal([character]).utf8
    }
  }
}
