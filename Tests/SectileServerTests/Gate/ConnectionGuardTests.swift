#if Server
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import Synchronization
  import Testing

  @testable import SectileServer

  /// What of the bytes of a connection is handed on to be parsed.
  @Suite(.timeLimit(.minutes(60))) struct ConnectionGuardTests {
    /// Stands between the guard and the parser, and counts.
    private final class Tap: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias InboundOut = ByteBuffer

      private let passed: Reference<Mutex<Int>>

      init(_ passed: Reference<Mutex<Int>>) { self.passed = passed }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        passed.value.withLock { $0 += count }
        context.fireChannelRead(data)
      }
    }

    /// Parsing what has no end takes time that grows with the square of its length.
    @Test func littleOfAGiantRequestLineIsParsed() async throws {
      let passed = Reference(Mutex(0))
      var limits = ConnectionLimits()
      // All of it is read, however long that takes.
      limits.lingering = .hours(1)
      let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { [limits] channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let state = ConnectionState(limits: limits) { _ in }
            try pipeline.addHandler(ConnectionGuard(state))
            try pipeline.addHandler(Tap(passed))
            try pipeline.configureHTTPServerPipeline(
              withPipeliningAssistance: false, withErrorHandling: false,
              withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
              withDecoderLimitConfiguration: .init())
            try pipeline.addHandler(RequestGate(rules: GateRules(), connection: state))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      let port = try #require(server.localAddress?.port)
      let line = [UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024)
      let outcome = try await HostileConnectionTests.flood(
        port, "GET /", with: line, upTo: 3 << 20)
      try await server.close()
      #expect(outcome.text.hasPrefix("HTTP/1.1 431 "))
      // What a head may have, and the portion that was more.
      let count = passed.value.withLock { $0 }
      #expect(count > 0 && count < 256 * 1024, "of \(outcome.sent) bytes")
    }
  }
#endif
