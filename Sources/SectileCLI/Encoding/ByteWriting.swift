/// Bytes on their way somewhere, changed on the way.
protocol ByteWriting: AnyObject, Sendable {
  /// Takes bytes.
  func write(_ bytes: [UInt8]) throws

  /// Hands on what is left; called once, after the last bytes.
  func finish() throws
}
