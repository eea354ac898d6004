/// Makes UTF-8 of text in another encoding.
final class DecodingReader: ByteReading {
  private let source: any ByteReading
  private let conversion: TextConversion
  private let encoding: String
  private let name: String
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - encoding: Its encoding, by a name that the system knows.
  ///   - name: What messages call the text.
  /// - Throws: ``CommandFailure`` for an encoding that nobody knows.
  init(_ source: any ByteReading, encoding: String, name: String) throws {
    conversion = try TextConversion(from: encoding, to: "UTF-8")
    self.source = source
    self.encoding = encoding
    self.name = name
  }

  func next() throws -> [UInt8]? {
    do {
      while !isAtEnd {
        guard let bytes = try source.next() else {
          isAtEnd = true
          let last = try conversion.finish()
          return last.isEmpty ? nil : last
        }
        let text = try conversion.convert(bytes)
        if !text.isEmpty { return text }
      }
      return nil
    } catch let error as TextConversion.Mistake {
      throw CommandFailure(
        .data, "\(name): byte \(error.position + 1) is not \(encoding)",
        hint: "Name the encoding that it is written in with --encoding.")
    }
  }
}
