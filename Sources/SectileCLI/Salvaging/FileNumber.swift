/// Numbers as database files have them.
///
/// Nothing is read beyond an end.
enum FileNumber {
  /// Reads a big-endian number without a sign.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: Where it begins.
  ///   - size: How many bytes it has, up to seven.
  /// - Returns: The number; nil where it would leave the bytes.
  static func fixed(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a big-endian number with a sign, of up to eight bytes.
  static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let start: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
    return bytes.reduce(start) { $0 << 8 | Int64($1) }
  }

  /// Reads a number of one to nine bytes, each but the last with its highest bit set.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: Where it begins; behind it afterwards.
  ///   - end: Where the part ends that it must lie in.
  /// - Returns: The number; nil where it goes on beyond the end.
  static func variable(_ bytes: [UInt8], at offset: inout Int, before end: Int) -> Int64? {
    let end = min(end, bytes.count)
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0
    for position in 0..<9 {
      guard offset < end else { return nil }
      let byte = UInt64(bytes[offset])
      offset += 1
      if position == 8 { return Int64(bitPattern: value << 8 | byte) }
      value = value << 7 | byte & 0x7F
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
  }
}
