/// A hash that is the same in every process and on every machine (FNV-1a, 64 bits).
///
/// It tells things apart that differ by accident; it does not stand up to somebody who wants two to
/// be alike.
package struct StableHash: Sendable {
  /// The hash of what was taken in so far.
  @usableFromInline package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of nothing.
  @inlinable package init() {}

  /// Creates the hash of bytes.
  @inlinable package init(of bytes: some Sequence<UInt8>) { combine(bytes) }

  /// Takes in bytes.
  @inlinable package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Takes in a number.
  package mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      value = (value ^ (number >> shift & 0xFF)) &* 0x100_0000_01B3
    }
  }

  /// Takes in a text, so that texts one after the other are not the same as one text of both.
  package mutating func combine(_ text: String) {
    combine(UInt64(text.utf8.count))
    combine(text.utf8)
  }

  /// The hash as 16 hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
