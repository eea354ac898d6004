internal import CDecoding
internal import Synchronization

/// Packs bytes as gzip, by zlib.
final class GzipWriter: ByteWriting {
  private let sink: @Sendable ([UInt8]) throws -> Void

  // MARK: - Mutable state
  //
  // - `stream`: guarded by its mutex.
  private let stream: Mutex<Stream>

  /// Creates a writer that hands what it packed to a closure.
  ///
  /// - Throws: ``CommandFailure`` where there is no memory.
  init(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) throws {
    self.sink = sink
    stream = Mutex(try Stream())
  }

  func write(_ bytes: [UInt8]) throws {
    try stream.withLock { try $0.pack(bytes, Z_NO_FLUSH, sink) }
  }

  func finish() throws { try stream.withLock { try $0.pack([], Z_FINISH, sink) } }

  /// What zlib knows of what is being packed.
  private final class Stream {
    // zlib keeps its address.
    private let start: UnsafeMutablePointer<z_stream>

    init() throws {
      start = .allocate(capacity: 1)
      start.initialize(to: z_stream())
      let code = deflateInit2_(
        start, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      guard code == Z_OK else { throw CommandFailure(.inputOutput, "no memory to pack the output") }
    }

    deinit {
      deflateEnd(start)
      start.deallocate()
    }

    func pack(
      _ bytes: [UInt8], _ flush: Int32, _ sink: @Sendable ([UInt8]) throws -> Void
    ) throws {
      var bytes = bytes
      try bytes.withUnsafeMutableBufferPointer { bytes in
        start.pointee.next_in = bytes.baseAddress
        start.pointee.avail_in = UInt32(clamping: bytes.count)
        var code = Z_OK
        repeat {
          let packed = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            start.pointee.next_out = buffer.baseAddress
            start.pointee.avail_out = UInt32(clamping: buffer.count)
            code = deflate(start, flush)
            count = buffer.count - Int(start.pointee.avail_out)
          }
          if !packed.isEmpty { try sink(packed) }
        } while start.pointee.avail_out == 0 || (flush == Z_FINISH && code == Z_OK)
      }
    }
  }
}
