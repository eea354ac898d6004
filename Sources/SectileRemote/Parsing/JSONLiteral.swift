/// Finds a number in a JSON document as it is written there.
///
/// The document was read by a decoder before, so that what it is made of need not be checked again;
/// where it cannot be followed (names that are written with escapes, or that the decoder
/// translates) nothing is found.
struct JSONLiteral {
  private let bytes: [UInt8]
  private var position = 0

  /// Returns the number at a path, or nil.
  static func number(in bytes: [UInt8], at path: [any CodingKey]) -> String? {
    var literal = JSONLiteral(bytes: bytes)
    for step in path {
      guard literal.enter(step) else { return nil }
    }
    return literal.number()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  /// Skips a mark, if it comes next.
  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  /// Goes to a member of an object, or an element of an array.
  private mutating func enter(_ step: any CodingKey) -> Bool {
    if let offset = step.intValue {
      guard skip("[") else { return false }
      for _ in 0..<offset {
        skipValue()
        guard skip(",") else { return false }
      }
      return true
    }
    guard skip("{") else { return false }
    while true {
      skipSpace()
      let start = position
      skipValue()
      let name = bytes[start..<position]
      guard skip(":") else { return false }
      if name.dropFirst().dropLast().elementsEqual(step.stringValue.utf8) { return true }
      skipValue()
      guard skip(",") else { return false }
    }
  }

  /// Skips a value, with all that is in it.
  private mutating func skipValue() {
    skipSpace()
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""): skipText()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        position += 1
      default: position += 1
      }
    }
  }

  private mutating func skipText() {
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }

  private mutating func number() -> String? {
    skipSpace()
    let digits = bytes[position...].prefix { byte in
      "+-.0123456789eE".utf8.contains(byte)
    }
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }
}
