package import Sectile

/// What a text of separated values may stand for besides itself.
///
/// Only what comes back as the same text counts as a number: `007` and `+1` are text, and so are an
/// integer beyond 64 bits and digits that a double cannot keep. `1e5` may well be a name, so an
/// exponent counts only with a point or a sign: `1.0e5`, `1e+5`. `9e999` is an infinity.
package enum NumberText: Equatable, Sendable {
  /// An integer of 64 bits; `isWide` where a double cannot hold it exactly.
  case integer(isWide: Bool)
  /// A number with a fraction or an exponent.
  case real
  /// `x'…'` with pairs of hexadecimal digits.
  case blob
  /// Any other text.
  case text

  /// Tells what a text may stand for.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Self.read($0) }
  }

  /// Tells what the bytes of a text may stand for.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self = Self.read(bytes) }

  /// The number that a text stands for in the form in which it is written out, so that text and
  /// number are one; nil for any other text.
  package static func canonical(_ bytes: UnsafeBufferPointer<UInt8>) -> StoredValue? {
    switch read(bytes) {
    case .integer: return Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
    case .real:
      let text = String(decoding: bytes, as: UTF8.self)
      guard let number = number(text) else { return nil }
      return StoredValue.real(number).plainText == text ? .real(number) : nil
    case .blob, .text: return nil
    }
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
    guard let first = bytes.first, bytes.count <= 40 || first == UInt8(ascii: "x") else {
      return .text
    }
    if first == UInt8(ascii: "x") { return blobBytes(bytes) == nil ? .text : .blob }
    var position = first == UInt8(ascii: "-") ? 1 : 0
    let start = position
    skipDigits(of: bytes, &position)
    let wholeCount = position - start
    guard wholeCount > 0, wholeCount == 1 || bytes[start] != 0x30 else { return .text }
    if position == bytes.count { return integer(bytes, digits: wholeCount) }
    var hasSign = false
    var digitCount = wholeCount
    if bytes[position] == UInt8(ascii: ".") {
      let point = position
      position += 1
      skipDigits(of: bytes, &position)
      guard position > point + 1 else { return .text }
      digitCount += position - point - 1
      hasSign = true
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D {
        hasSign = true
        position += 1
      }
      let exponent = position
      skipDigits(of: bytes, &position)
      guard position > exponent, position - exponent < 4 else { return .text }
    }
    guard position == bytes.count else { return .text }
    guard hasSign else { return isInfinity(bytes[start...]) ? .real : .text }
    let leadingZeros = bytes[start...].prefix { $0 == 0x30 || $0 == 0x2E }.count { $0 == 0x30 }
    guard digitCount - leadingZeros <= 17 else { return .text }
    return Double(String(decoding: bytes, as: UTF8.self))?.isFinite == true ? .real : .text
  }

  /// Returns whether digits are those that stand for an infinity: `9e999`.
  private static func isInfinity(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    digits.elementsEqual("9e999".utf8)
  }

  private static func skipDigits(of bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>, digits: Int) -> Self {
    if digits < 16 && bytes[0] != 0x2D { return .integer(isWide: false) }
    guard let number = Int64(String(decoding: bytes, as: UTF8.self)),
      number != 0 || digits != 1
        || bytes[0] != 0x2D
    else { return .text }
    return .integer(isWide: number.magnitude > 1 << 53)
  }

  /// Returns the number that a text stands for as SQL writes it, `9e999` among them, which is an
  /// infinity; nil for any other text.
  package static func number(_ text: String) -> Double? {
    let signs = "0123456789+-.eE".utf8
    guard text.utf8.count <= 400, text.utf8.allSatisfy({ signs.contains($0) }) else { return nil }
    return Double(text)
  }

  /// Returns the bytes of `x'…'`; nil for any other text.
  package static func blob(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { blobBytes($0) }
  }

  /// Returns the bytes of `x'…'` or `t'…'`, by its first sign; nil for anything else.
  package static func tagged(_ bytes: UnsafeBufferPointer<UInt8>, _ sign: UInt8) -> [UInt8]? {
    guard bytes.count >= 3, bytes[0] == sign, bytes[1] == UInt8(ascii: "'"),
      bytes[bytes.count - 1] == UInt8(ascii: "'")
    else { return nil }
    return StoredValue.bytes(hexadecimal: bytes[2..<(bytes.count - 1)])
  }

  private static func blobBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard bytes.count >= 3, bytes.count % 2 == 1, bytes[0] | 0x20 == UInt8(ascii: "x"),
      bytes[1] == UInt8(ascii: "'"), bytes[bytes.count - 1] == UInt8(ascii: "'")
    else { return nil }
    return StoredValue.bytes(hexadecimal: bytes[2..<(bytes.count - 1)])
  }
}
