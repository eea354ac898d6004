#if Server
  internal import Hummingbird
  internal import HummingbirdCore
  internal import Logging
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTPTypes
  internal import NIOHTTPTypesHTTP1

  /// Hummingbird's connections, with a gate before them.
  ///
  /// ```text
  ///  bytes ─▶ ConnectionGuard ─▶ parser ─▶ RequestGate ─▶ HTTP types ─▶ idle state ─▶ Hummingbird
  ///           bytes of a head    limits    Host, target,
  ///           and deadlines                origin, headers
  /// ```
  struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let rules: GateRules
    let limits: ConnectionLimits
    let roster: ConnectionRoster

    /// What Linux calls `TCP_USER_TIMEOUT`, in milliseconds.
    private static let tcpUserTimeout: CInt = 18

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
      roster.add(channel)
      // A client that is gone without a word: what is sent to it is not acknowledged any more.
      let userTimeout = ChannelOptions.Types.SocketOption(
        level: .tcp, name: NIOBSDSocket.Option(rawValue: Self.tcpUserTimeout))
      channel.setOption(userTimeout, value: 60_000).whenFailure { _ in }
      return channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        let state = ConnectionState(limits: limits) { [roster, unowned channel] isServing in
          roster.note(channel, isServing: isServing)
        }
        try pipeline.addHandler(ConnectionGuard(state))
        var parsing = NIOHTTPDecoderLimitConfiguration()
        parsing.maxHeaderFieldSize = limits.headBytes
        parsing.maxHeaderListSize = limits.headBytes
        parsing.maxHeaderFieldCount = 100
        try pipeline.configureHTTPServerPipeline(
          withPipeliningAssistance: false, withErrorHandling: false,
          withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
          withDecoderLimitConfiguration: parsing)
        try pipeline.addHandler(RequestGate(rules: rules, connection: state))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        // What it is for here is the end of connections when the server ends.
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: nil, logger: logger))
        return try NIOAsyncChannel(
          wrappingChannelSynchronously: channel,
          configuration: .init(isOutboundHalfClosureEnabled: true))
      }
    }

    func handle(value: Value, logger: Logger) async {
      await handleHTTP(asyncChannel: value, logger: logger)
    }
  }
#endif
