/// Bytes as text that needs no escaping in an address: RFC 4648, section 5, without padding.
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Returns bytes as text.
  package static func text(of bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        characters.append(alphabet[Int(bits >> bitCount & 0x3F)])
      }
    }
    if bitCount > 0 { characters.append(alphabet[Int(bits << (6 - bitCount) & 0x3F)]) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Returns the bytes that a text stands for; nil where it is not in the one form that is written.
  package static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var (bits, bitCount): (UInt32, UInt32) = (0, 0)
    for character in text.utf8 {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    // Another text with other bits here would stand for the same bytes.
    return bits & (1 << bitCount - 1) == 0 ? bytes : nil
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character) - 0x41
    case 0x61...0x7A: UInt32(character) - 0x61 + 26
    case 0x30...0x39: UInt32(character) - 0x30 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
