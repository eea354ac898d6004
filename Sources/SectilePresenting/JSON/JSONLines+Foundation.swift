internal import Foundation

extension JSONLines {
  /// Creates a writer that encodes with Foundation's encoder, keys in alphabetical order.
  ///
  /// ```swift
  /// let lines = JSONLines<String, String> { print($0) }
  /// ```
  ///
  /// - Parameter write: Writes one line; the line end is not part of it.
  public convenience init(write: @escaping @Sendable (String) throws -> Void) {
    self.init(
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      },
      write: write)
  }
}
