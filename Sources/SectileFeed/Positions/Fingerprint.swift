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
    return StableHash(
      of: "\(JSONTag.format)\(kind)\0\(source.utf8.count)\0\(source)\(shape)".utf8
    ).value
  }
}
