#if Server
  internal import NIOCore
  internal import NIOHTTP1

  /// Lets requests pass that ``GateRules`` allow, and gives every answer its security headers.
  ///
  /// It stands between the parser and whatever knows routes: what is refused here reaches neither
  /// the router nor a session. A refusal is the last answer on its connection.
  final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let rules: GateRules
    private let connection: ConnectionState

    // MARK: - Mutable state
    //
    // Confined to the channel's event loop.
    private var isRefusing = false

    init(rules: GateRules, connection: ConnectionState) {
      self.rules = rules
      self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isRefusing { return }
      if case .head(let head) = unwrapInboundIn(data) {
        connection.headArrived()
        if let refusal = rules.refusal(of: head, at: context.channel.localAddress) {
          return refuse(refusal, context)
        }
        connection.requestBegan()
      }
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard !isRefusing else { return }
      switch error {
      case HTTPParserError.headerOverflow, is HeadOverflow:
        refuse(Refusal.headTooLarge, context)
      case is HTTPParserError:
        refuse(
          Refusal(
            .badRequest, "the request is no HTTP", hint: "Speak HTTP/1.1, without bytes in excess."),
          context)
      default:
        // What is left of the connection is of no use.
        isRefusing = true
        context.close(promise: nil)
      }
    }

    private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
      isRefusing = true
      // The answer to an earlier request may be on its way: two would be mixed up.
      guard connection.openRequests == 0 else { return context.close(promise: nil) }
      let body = refusal.json
      var head = HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: refusal.code.status),
        headers: [
          "Content-Type": "application/json", "Content-Length": "\(body.count)",
          "Connection": "close",
        ])
      if refusal.code == .methodNotAllowed { head.headers.add(name: "Allow", value: "GET, HEAD") }
      Self.addSecurity(to: &head.headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      connection.linger(context)
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch unwrapOutboundIn(data) {
      case .head(var head):
        Self.addSecurity(to: &head.headers)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
      case .end:
        connection.requestEnded()
        context.write(data, promise: promise)
      default: context.write(data, promise: promise)
      }
    }

    private static func addSecurity(to headers: inout HTTPHeaders) {
      for (name, value) in SecurityHeaders.all where !headers.contains(name: name) {
        headers.add(name: name, value: value)
      }
    }
  }

  extension Refusal {
    /// The head of a request is larger than what is read of one.
    static let headTooLarge = Refusal(
      .headTooLarge, "the head of the request is too large", hint: "Ask for less at a time.")
  }
#endif
