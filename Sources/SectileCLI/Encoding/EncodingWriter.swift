internal import Synchronization

/// Makes text in another encoding of UTF-8.
final class EncodingWriter: ByteWriting {
  private let encoding: String
  private let sink: @Sendable ([UInt8]) throws -> Void

  // MARK: - Mutable state
  //
  // - `conversion`: guarded by its mutex.
  private let conversion: Mutex<TextConversion>

  /// Creates a writer that hands the text to a closure.
  ///
  /// - Throws: ``CommandFailure`` for an encoding that nobody knows.
  init(_ encoding: String, _ sink: @escaping @Sendable ([UInt8]) throws -> Void) throws {
    self.encoding = encoding
    self.sink = sink
    conversion = Mutex(try TextConversion(from: "UTF-8", to: encoding))
  }

  func write(_ bytes: [UInt8]) throws {
    try convert { try $0.convert(bytes) }
  }

  func finish() throws {
    try convert { try $0.finish() }
  }

  private func convert(_ body: @Sendable (TextConversion) throws -> [UInt8]) throws {
    do {
      let text = try conversion.withLock { try body($0) }
      if !text.isEmpty { try sink(text) }
    } catch is TextConversion.Mistake {
      throw CommandFailure(
        .data, "a text has a character that \(encoding) does not have",
        hint: "Leave --encoding out: UTF-8 has them all.")
    }
  }
}
