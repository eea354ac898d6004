/// The little that must be known of JSON's grammar besides what its parser knows.
enum JSONText {
  /// What JSON holds for space, and the byte order mark before it.
  static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  /// Returns whether a byte is space between the signs of JSON.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns the first byte that is no space; nil where there is none.
  static func firstSign(of bytes: UnsafeRawBufferPointer) -> UInt8? {
    bytes.first { !isSpace($0) }
  }

  /// Returns a text that is JSON without the space outside of its strings.
  static func withoutSpace(_ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var strings = StringScanner()
    for byte in bytes where strings.holds(byte) || !isSpace(byte) { result.append(byte) }
    return result
  }

  /// Follows JSON byte by byte, and knows what is part of a string.
  struct StringScanner {
    private var isInside = false
    private var isEscaped = false

    /// Takes a byte into account, and returns whether it belongs to a string, its quotes included.
    mutating func holds(_ byte: UInt8) -> Bool {
      guard isInside else {
        isInside = byte == UInt8(ascii: "\"")
        return isInside
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInside = false
      }
      return true
    }
  }

  /// Returns whether an escape in a JSON text is half of a pair without its other half, which no
  /// text in UTF-8 can hold.
  static func hasLoneSurrogate(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    var needsLow = false
    while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
      if needsLow && start != rest.startIndex { return true }
      rest = rest[(start + 1)...]
      guard let sign = rest.popFirst() else { break }
      let unit = sign == UInt8(ascii: "u") ? codeUnit(rest.prefix(4)) : nil
      if unit != nil { rest = rest.dropFirst(4) }
      let isLow = unit.map { (0xDC00...0xDFFF).contains($0) } ?? false
      if isLow != needsLow { return true }
      needsLow = unit.map { (0xD800...0xDBFF).contains($0) } ?? false
    }
    return needsLow
  }

  private static func codeUnit(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard digits.count == 4 else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
