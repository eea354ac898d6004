#if Server
  internal import Hummingbird
  internal import Sectile

  /// Where the bytes of a stream go: a response that is written by one task at a time.
  final class ResponseOutput: Sendable {
    // MARK: - Mutable state
    //
    // - `writer`: used by the one task that writes; Hummingbird's protocol says nothing of being
    //   sendable.
    private let writer: Confined<any ResponseBodyWriter>

    init(_ writer: any ResponseBodyWriter) { self.writer = Confined(writer, to: .owner) }

    func write(_ bytes: [UInt8]) async throws {
      try await writer.value.write(ByteBuffer(bytes: bytes))
    }

    func finish() async throws { try await writer.value.finish(nil) }
  }
#endif
