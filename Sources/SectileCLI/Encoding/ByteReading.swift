/// Bytes that are asked for piece by piece.
protocol ByteReading: AnyObject {
  /// Returns the next bytes; nil after the last.
  func next() throws -> [UInt8]?
}

/// Bytes that a closure hands out.
final class ByteReader: ByteReading {
  private let body: () throws -> [UInt8]?

  /// Creates a reader of what a closure returns.
  init(_ body: @escaping () throws -> [UInt8]?) {
    self.body = body
  }

  func next() throws -> [UInt8]? { try body() }
}
