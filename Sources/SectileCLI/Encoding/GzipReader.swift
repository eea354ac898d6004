internal import CDecoding

/// Unpacks gzip, by zlib; several members behind each other are one text.
final class GzipReader: ByteReading {
  private static let chunkSize = 1 << 18

  private let source: any ByteReading
  private let name: String
  // zlib keeps the address of the stream.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var position = 0
  // Whether a member is open, and whether the source has ended.
  private var isInMember = false
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The packed bytes.
  ///   - name: What messages call them.
  /// - Throws: ``CommandFailure`` where there is no memory.
  init(_ source: any ByteReading, name: String) throws {
    self.source = source
    self.name = name
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 16 more than the largest window asks for gzip.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      throw CommandFailure(.inputOutput, "no memory to unpack \(name)")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func next() throws -> [UInt8]? {
    let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
      while count < buffer.count {
        if position == input.count, try !refill() { break }
        count += try unpack(into: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
      }
    }
    return chunk.isEmpty ? nil : chunk
  }

  /// Gets more packed bytes; false at their end.
  private func refill() throws -> Bool {
    if !isAtEnd, let bytes = try source.next() {
      input = bytes
      position = 0
      return true
    }
    isAtEnd = true
    if isInMember { throw CommandFailure(.data, "\(name) ends in the middle of its gzip data") }
    return false
  }

  private func unpack(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    try input.withUnsafeMutableBufferPointer { bytes in
      stream.pointee.next_in = bytes.baseAddress.map { $0 + position }
      stream.pointee.avail_in = UInt32(clamping: bytes.count - position)
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(clamping: buffer.count)
      isInMember = true
      let code = inflate(stream, Z_NO_FLUSH)
      position = bytes.count - Int(stream.pointee.avail_in)
      switch code {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END:
        isInMember = false
        inflateReset(stream)
      default: throw CommandFailure(.data, "\(name) is damaged: it is no sound gzip data")
      }
      return buffer.count - Int(stream.pointee.avail_out)
    }
  }
}
