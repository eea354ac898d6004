/// Reads the numbers of a position; nil for what is not there, or not in the one form that is
/// written.
package struct PositionBytes {
  private var bytes: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Whether everything was read.
  package var isAtEnd: Bool { bytes.isEmpty }

  /// Reads a byte.
  package mutating func byte() -> UInt8? { bytes.popFirst() }

  /// Reads a number of so many bytes, up to eight.
  package mutating func number(ofBytes count: Int) -> UInt64? {
    guard bytes.count >= count else { return nil }
    var number: UInt64 = 0
    for shift in 0..<count {
      guard let byte = bytes.popFirst() else { return nil }
      number |= UInt64(byte) << UInt64(8 * shift)
    }
    return number
  }

  /// Reads a number that takes seven bits a byte, in as few bytes as there can be.
  package mutating func shortNumber() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      let bits = UInt64(byte & 0x7F)
      // The tenth byte has room for one bit.
      if shift == 63, bits > 1 { return nil }
      number |= bits << shift
      if byte & 0x80 == 0 { return byte == 0 && shift > 0 ? nil : number }
    }
    return nil
  }

  /// Appends a number of so many bytes.
  package static func append(_ number: UInt64, ofBytes count: Int, to bytes: inout [UInt8]) {
    for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
  }

  /// Appends a number in seven bits a byte.
  package static func appendShort(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
