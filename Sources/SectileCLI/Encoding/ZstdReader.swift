internal import CDecoding

/// Unpacks zstd, by its own library; several frames behind each other are one text.
final class ZstdReader: ByteReading {
  private static let chunkSize = 1 << 18

  private let source: any ByteReading
  private let name: String
  private let stream: OpaquePointer
  private var input: [UInt8] = []
  private var position = 0
  private var isInFrame = false
  // Whether the stream may hold more than it had room to give.
  private var mayHoldMore = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The packed bytes.
  ///   - name: What messages call them.
  /// - Throws: ``CommandFailure`` where there is no memory.
  init(_ source: any ByteReading, name: String) throws {
    self.source = source
    self.name = name
    guard let stream = ZSTD_createDStream() else {
      throw CommandFailure(.inputOutput, "no memory to unpack \(name)")
    }
    self.stream = stream
  }

  deinit {
    ZSTD_freeDStream(stream)
  }

  func next() throws -> [UInt8]? {
    let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
      while count < buffer.count {
        if position == input.count && !mayHoldMore, try !refill() { break }
        count += try unpack(into: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
      }
    }
    return chunk.isEmpty ? nil : chunk
  }

  private func refill() throws -> Bool {
    guard let bytes = try source.next() else {
      if isInFrame { throw CommandFailure(.data, "\(name) ends in the middle of its zstd data") }
      return false
    }
    input = bytes
    position = 0
    return true
  }

  private func unpack(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    try input.withUnsafeBytes { bytes in
      var packed = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: position)
      var unpacked = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let code = ZSTD_decompressStream(stream, &unpacked, &packed)
      if ZSTD_isError(code) != 0 {
        throw CommandFailure(
          .data, "\(name) is damaged: \(String(cString: ZSTD_getErrorName(code)))")
      }
      position = packed.pos
      isInFrame = code != 0
      mayHoldMore = isInFrame && unpacked.pos == unpacked.size
      return unpacked.pos
    }
  }
}
