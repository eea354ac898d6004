extension StoredValue: CustomStringConvertible {
  /// The value as an SQL literal: `NULL`, `1`, `1.5`, `'it''s'`, `x'00ff'`.
  ///
  /// For messages and diagrams; values that go to SQLite are bound, never written into SQL text.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): Self.literal(of: value)
    case .text(let value): Self.literal(of: value)
    case .blob(let value): "x'\(Self.hexadecimal(value))'"
    }
  }

  /// The value as a reader knows it where no other kind of value is expected: text without quotes,
  /// unless it is empty or would read as NULL.
  package var label: String {
    guard case .text(let value) = self, !value.isEmpty, value != "NULL" else { return description }
    return value
  }

  private static func literal(of value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    return String(value)
  }

  private static func literal(of value: String) -> String {
    var literal = "'"
    for scalar in value.unicodeScalars {
      literal.unicodeScalars.append(scalar)
      if scalar == "'" { literal.unicodeScalars.append(scalar) }
    }
    return literal + "'"
  }

  /// Returns the bytes as lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes that hexadecimal digits stand for, or nil where they are not such digits.
  package static func bytes(hexadecimal text: String) -> [UInt8]? { bytes(hexadecimal: text.utf8) }

  /// Returns the bytes that hexadecimal digits stand for, or nil where they are not such digits.
  package static func bytes(hexadecimal digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = nibble(digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}
