#if HTTP
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import SectileRemote
  import Synchronization

  /// A real HTTP server on the loopback interface that does what a test tells it to, however wrong.
  final class MisbehavingServer: Sendable {
    /// One request, and the ways to answer it, or not to.
    struct Exchange: Sendable {
      let head: HTTPRequestHead
      fileprivate let channel: any Channel

      /// The parameters of the address, unescaped only in digits and letters.
      var query: [String: String] {
        let parts = head.uri.split(separator: "?", maxSplits: 1)
        guard parts.count > 1 else { return [:] }
        let pairs = parts[1].split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0[0]), String($0.last ?? "")) }) { first, _ in first
        }
      }

      /// Sends the beginning of an answer; without a length the body is sent in chunks.
      func begin(_ status: Int = 200, _ headers: HeaderFields = [:]) {
        var fields = HTTPHeaders()
        for field in headers.fields { fields.add(name: field.name, value: field.value) }
        let head = HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: fields)
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
      }

      /// Sends a part of the body.
      func send(_ text: String) {
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))
        channel.writeAndFlush(part, promise: nil)
      }

      /// Sends a part of the body.
      func send(_ bytes: [UInt8]) {
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
        channel.writeAndFlush(part, promise: nil)
      }

      /// Sends a part of the body, again and again, until the client has enough.
      func sendForEver(_ bytes: [UInt8]) {
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
        channel.writeAndFlush(part).whenSuccess { sendForEver(bytes) }
      }

      /// Sends a part of the body after every so much time, until the client has enough.
      func drip(_ text: String, every delay: TimeAmount) {
        channel.eventLoop.scheduleTask(in: delay) {
          let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))
          channel.writeAndFlush(part).whenSuccess { drip(text, every: delay) }
        }
      }

      /// Ends the answer.
      func end() {
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
      }

      /// Closes the connection, whatever was sent.
      func hangUp() {
        channel.close(promise: nil)
      }

      /// Sends a whole answer.
      func answer(_ body: String, status: Int = 200, _ headers: HeaderFields = [:]) {
        var headers = headers
        headers["Content-Length"] = "\(body.utf8.count)"
        begin(status, headers)
        send(body)
        end()
      }
    }

    private final class Handler: ChannelInboundHandler {
      typealias InboundIn = HTTPServerRequestPart

      private let serve: @Sendable (Exchange) -> Void

      init(_ serve: @escaping @Sendable (Exchange) -> Void) {
        self.serve = serve
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        serve(Exchange(head: head, channel: context.channel))
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
      }
    }

    private let channel: any Channel
    private let seen: Seen

    /// The requests that came, in order.
    private final class Seen: Sendable {
      let heads = Mutex<[HTTPRequestHead]>([])
    }

    private init(channel: any Channel, seen: Seen) {
      self.channel = channel
      self.seen = seen
    }

    /// The address of the server, without a path.
    var origin: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// What was asked for so far: the path and query of each request.
    var log: [String] { seen.heads.withLock { $0.map(\.uri) } }

    /// The values of a header field in each request so far.
    func values(of name: String) -> [String?] {
      seen.heads.withLock { $0.map { $0.headers.first(name: name) } }
    }

    /// Runs a body of a test while a server listens.
    ///
    /// - Parameters:
    ///   - serve: Answers one request; called on the server's event loop.
    ///   - body: The test.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    static func run<Result: Sendable>(
      _ serve: @escaping @Sendable (Exchange) -> Void,
      _ body: (MisbehavingServer) async throws -> Result
    ) async throws -> Result {
      let seen = Seen()
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(
              Handler { exchange in
                seen.heads.withLock { $0.append(exchange.head) }
                serve(exchange)
              })
          }
        }
      let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
      let server = MisbehavingServer(channel: channel, seen: seen)
      do {
        let result = try await body(server)
        try? await channel.close()
        return result
      } catch {
        try? await channel.close()
        throw error
      }
    }
  }
#endif
