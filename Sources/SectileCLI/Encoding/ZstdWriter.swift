internal import CDecoding
internal import Synchronization

/// Packs bytes as zstd, by its own library.
final class ZstdWriter: ByteWriting {
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
    try stream.withLock { try $0.pack(bytes, ZSTD_e_continue, sink) }
  }

  func finish() throws { try stream.withLock { try $0.pack([], ZSTD_e_end, sink) } }

  /// What zstd's library knows of what is being packed.
  private final class Stream {
    private let context: OpaquePointer

    init() throws {
      guard let context = ZSTD_createCStream() else {
        throw CommandFailure(.inputOutput, "no memory to pack the output")
      }
      self.context = context
    }

    deinit { ZSTD_freeCStream(context) }

    func pack(
      _ bytes: [UInt8], _ mode: ZSTD_EndDirective, _ sink: @Sendable ([UInt8]) throws -> Void
    ) throws {
      try bytes.withUnsafeBytes { bytes in
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var left = 0
        repeat {
          let packed = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
            left = ZSTD_compressStream2(context, &output, &input, mode)
            count = output.pos
          }
          if ZSTD_isError(left) != 0 {
            throw CommandFailure(
              .inputOutput, "cannot pack the output: \(String(cString: ZSTD_getErrorName(left)))")
          }
          if !packed.isEmpty { try sink(packed) }
        } while input.pos < input.size || (mode == ZSTD_e_end && left > 0)
      }
    }
  }
}
