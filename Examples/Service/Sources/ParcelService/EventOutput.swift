internal import Hummingbird
internal import NIOCore

extension EventStream {
  /// Where the bytes go: a response that is written by one task at a time.
  final class Output {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ bytes: [UInt8]) async throws { try await writer.write(ByteBuffer(bytes: bytes)) }

    func finish() async throws { try await writer.finish(nil) }
  }
}
