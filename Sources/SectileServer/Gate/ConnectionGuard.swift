#if Server
  internal import NIOCore

  /// Counts the bytes of heads before they are parsed, and closes connections that take too long.
  final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How often deadlines are looked at.
    private static let tick = TimeAmount.milliseconds(250)

    private let state: ConnectionState

    // MARK: - Mutable state
    //
    // Confined to the channel's event loop.
    private var ticking: RepeatedTask?

    init(_ state: ConnectionState) { self.state = state }

    func handlerAdded(context: ChannelHandlerContext) {
      let channel = context.channel
      let state = NIOLoopBound(state, eventLoop: context.eventLoop)
      ticking = context.eventLoop.scheduleRepeatedTask(
        initialDelay: Self.tick, delay: Self.tick
      ) { _ in
        if state.value.isOverdue(at: .now()) { channel.close(promise: nil) }
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { ticking?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
      ticking?.cancel()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      // What comes after a refusal is read, so that the client is not cut off before it has read
      // the answer.
      if state.isLingering { return }
      let isAllowed = state.bytesArrived(unwrapInboundIn(data).readableBytes)
      context.fireChannelRead(data)
      // The parser may have come to the end of the head.
      guard !isAllowed, state.headBytes > 0, !state.isLingering else { return }
      context.fireErrorCaught(HeadOverflow())
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      state.writabilityChanged(context.channel.isWritable)
      context.fireChannelWritabilityChanged()
    }
  }

  /// A head has more bytes than it may have.
  struct HeadOverflow: Error {}
#endif
