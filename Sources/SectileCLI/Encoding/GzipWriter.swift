internal import CDecoding
internal import Synchronization

/// Packs bytes as gzip, by zlib.
final class GzipWriter: ByteWriting {
  private let sink: @Sendable ([UInt8]) throws -> Void

  // MARK: - Mutable state
  //
  // - `stream`: guarded by its mutex. zlib keeps its address.
  private let stream: Mutex<Stream>

  private struct Stream: @unchecked Sendable {
    let start: UnsafeMutablePointer<z_stream>
  }

  /// Creates a writer that hands what it packed to a closure.
  ///
  /// - Throws: ``CommandFailure`` where there is no memory.
  init(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) throws {
    self.sink = sink
    let start = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    start.initialize(to: z_stream())
    stream = Mutex(Stream(start: start))
    let code = deflateInit2_(
      start, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw CommandFailure(.inputOutput, "no memory to pack the output") }
  }

  deinit {
    stream.withLock { stream in
      deflateEnd(stream.start)
      stream.start.deallocate()
    }
  }

  func write(_ bytes: [UInt8]) throws { try pack(bytes, Z_NO_FLUSH) }

  func finish() throws { try pack([], Z_FINISH) }

  private func pack(_ bytes: [UInt8], _ flush: Int32) throws {
    var bytes = bytes
    try bytes.withUnsafeMutableBufferPointer { bytes in
      try stream.withLock { stream in
        let stream = stream.start
        stream.pointee.next_in = bytes.baseAddress
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        var code = Z_OK
        repeat {
          let packed = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(clamping: buffer.count)
            code = deflate(stream, flush)
            count = buffer.count - Int(stream.pointee.avail_out)
          }
          if !packed.isEmpty { try sink(packed) }
        } while stream.pointee.avail_out == 0 || (flush == Z_FINISH && code == Z_OK)
      }
    }
  }
}
