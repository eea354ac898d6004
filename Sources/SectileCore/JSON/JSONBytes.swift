/// Values as the bytes of JSON; what it has no word for is tagged, see ``JSONTag``.
///
/// Feeds, the server and the command line tool write all their JSON through it.
package enum JSONBytes {
  /// Appends a stored value.
  package static func append(
    _ value: StoredValue, to bytes: inout [UInt8], _ escaping: JSONEscaping = .shortest
  ) {
    switch value {
    case .null: bytes += "null".utf8
    case .integer(let number): append(number, to: &bytes)
    case .real(let number) where JSONTag.isPlain(number): append(number, to: &bytes)
    case .real(let number): append(tag: JSONTag.real, JSONTag.text(ofReal: number), to: &bytes)
    case .text(let text): append(text, to: &bytes, escaping)
    case .blob(let blob): append(blob: blob, to: &bytes)
    }
  }

  /// Appends a truth value.
  package static func append(_ value: Bool, to bytes: inout [UInt8]) {
    bytes += (value ? "true" : "false").utf8
  }

  /// Appends an integer.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    append(integer: number, to: &bytes)
  }

  /// Appends an integer.
  package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    append(integer: number, to: &bytes)
  }

  private static func append(integer number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    if JSONTag.isExact(number) {
      bytes += String(number).utf8
    } else {
      append(tag: JSONTag.integer, String(number), to: &bytes)
    }
  }

  /// Appends a number; a point or an exponent tells it from an integer.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    if number.isFinite {
      bytes += number.description.utf8
    } else {
      append(tag: JSONTag.real, JSONTag.text(ofReal: number), to: &bytes)
    }
  }

  /// Appends a number of single precision.
  package static func append(_ number: Float, to bytes: inout [UInt8]) {
    if number.isFinite {
      bytes += number.description.utf8
    } else {
      append(Double(number), to: &bytes)
    }
  }

  /// Appends bytes.
  package static func append(blob: [UInt8], to bytes: inout [UInt8]) {
    append(tag: JSONTag.blob, StoredValue.hexadecimal(blob), to: &bytes)
  }

  /// Appends text that is not UTF-8.
  package static func append(invalidText text: [UInt8], to bytes: inout [UInt8]) {
    append(tag: JSONTag.text, StoredValue.hexadecimal(text), to: &bytes)
  }

  private static func append(tag: String, _ text: String, to bytes: inout [UInt8]) {
    bytes += "{\"".utf8
    bytes += tag.utf8
    bytes += "\":\"".utf8
    bytes += text.utf8
    bytes += "\"}".utf8
  }

  // MARK: - Text

  /// Appends a text in quotes, without line breaks.
  package static func append(
    _ text: String, to bytes: inout [UInt8], _ escaping: JSONEscaping = .shortest
  ) {
    bytes.append(UInt8(ascii: "\""))
    if let isUnsafe = escaping.isUnsafe, !text.utf8.allSatisfy({ $0 < 0x80 && !isEscaped($0) }) {
      for scalar in text.unicodeScalars { append(scalar, isUnsafe, to: &bytes) }
    } else {
      var text = text
      text.withUTF8 { characters in
        if characters.contains(where: isEscaped) {
          for character in characters { append(escaped: character, to: &bytes) }
        } else {
          bytes.append(contentsOf: characters)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(
    _ scalar: Unicode.Scalar, _ isUnsafe: (Unicode.Scalar) -> Bool, to bytes: inout [UInt8]
  ) {
    if scalar == "\"" || scalar == "\\" {
      append(escaped: UInt8(ascii: scalar), to: &bytes)
    } else if scalar.value < 0x20 || isUnsafe(scalar) {
      for unit in scalar.utf16 {
        bytes += "\\u".utf8
        bytes += StoredValue.hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8
      }
    } else {
      bytes += scalar.utf8
    }
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
