internal import SectileCore

/// A number for what was asked for, the same in every process.
enum Fingerprint {
  /// Returns the number of a source's contents in a shape.
  ///
  /// - Parameters:
  ///   - source: The name of the source.
  ///   - shape: The name of the shape.
  ///   - isStructural: Whether the shape tells no items.
  /// - Returns: The number, which is another one for each format of the JSON.
  static func of(source: String, shape: String, isStructural: Bool = false) -> UInt64 {
    let kind = isStructural ? "s" : ""
    var bytes = Array("\(JSONTag.format)\(kind)\0\(source.utf8.count)\0".utf8)
    bytes += source.utf8
    bytes += shape.utf8
    return hash(of: bytes[...])
  }

  /// Returns the FNV-1a hash of bytes.
  static func hash(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
