internal import CDecoding
internal import Synchronization

/// Packs bytes as zstd, by its own library.
final class ZstdWriter: ByteWriting {
  private let sink: @Sendable ([UInt8]) throws -> Void

  // MARK: - Mutable state
  //
  // - `stream`: guarded by its mutex.
  private let stream: Mutex<Stream>

  private struct Stream: @unchecked Sendable {
    let context: OpaquePointer
  }

  /// Creates a writer that hands what it packed to a closure.
  ///
  /// - Throws: ``CommandFailure`` where there is no memory.
  init(_ sink: @escaping @Sendable ([UInt8]) throws -> Void) throws {
    guard let context = ZSTD_createCStream() else {
      throw CommandFailure(.inputOutput, "no memory to pack the output")
    }
    self.sink = sink
    stream = Mutex(Stream(context: context))
  }

  deinit {
    stream.withLock { _ = ZSTD_freeCStream($0.context) }
  }

  func write(_ bytes: [UInt8]) throws { try pack(bytes, ZSTD_e_continue) }

  func finish() throws { try pack([], ZSTD_e_end) }

  private func pack(_ bytes: [UInt8], _ mode: ZSTD_EndDirective) throws {
    try bytes.withUnsafeBytes { bytes in
      try stream.withLock { stream in
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var left = 0
        repeat {
          let packed = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
            left = ZSTD_compressStream2(stream.context, &output, &input, mode)
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
