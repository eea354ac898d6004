#if Server
  internal import NIOCore

  /// Where a connection is between two requests; what its handlers share.
  ///
  /// ```text
  ///            first byte        head is there            answer ends
  ///   waiting ───────────▶ reading ───────────▶ answering ───────────▶ waiting
  ///      │ idle                │ headTimeout         │ writeTimeout: nothing can be written
  ///      └───────────▶ closed ◀┴─────────────────────┘
  /// ```
  ///
  /// Confined to the channel's event loop.
  final class ConnectionState {
    private let limits: ConnectionLimits
    /// Tells the roster whether anybody is served.
    private let onChange: (_ isServing: Bool) -> Void

    // MARK: - Mutable state
    //
    // Confined to the channel's event loop.
    /// Requests whose answers have not ended.
    private(set) var openRequests = 0
    /// Bytes that came since the last head was whole.
    private(set) var headBytes = 0
    private var deadline: NIODeadline
    private var writeDeadline: NIODeadline?
    private(set) var isLingering = false

    init(limits: ConnectionLimits, onChange: @escaping (_ isServing: Bool) -> Void) {
      self.limits = limits
      self.onChange = onChange
      deadline = .now() + limits.headTimeout
    }

    /// Takes note of bytes; returns false where a head has more than it may have.
    func bytesArrived(_ count: Int) -> Bool {
      if headBytes == 0, openRequests == 0 { deadline = .now() + limits.headTimeout }
      headBytes += count
      return headBytes <= limits.headBytes
    }

    func headArrived() { headBytes = 0 }

    func requestBegan() {
      openRequests += 1
      if openRequests == 1 { onChange(true) }
    }

    func requestEnded() {
      guard openRequests > 0 else { return }
      openRequests -= 1
      guard openRequests == 0 else { return }
      deadline = .now() + (headBytes > 0 ? limits.headTimeout : limits.idleTimeout)
      onChange(false)
    }

    func writabilityChanged(_ isWritable: Bool) {
      writeDeadline = isWritable ? nil : .now() + limits.writeTimeout
    }

    /// Whether the connection has waited for longer than it may.
    func isOverdue(at now: NIODeadline) -> Bool {
      if let writeDeadline, now >= writeDeadline { return true }
      return (openRequests == 0 || isLingering) && now >= deadline
    }

    /// Ends a connection whose client may not have read the last answer yet: closed at once, it
    /// would lose it.
    func linger(_ context: ChannelHandlerContext) {
      guard !isLingering else { return }
      isLingering = true
      deadline = .now() + limits.lingering
      context.channel.close(mode: .output, promise: nil)
    }
  }

  /// What a connection may do, and for how long.
  struct ConnectionLimits: Sendable {
    /// How many bytes the head of a request may have, its first line included.
    var headBytes = 32 * 1024
    /// How long a head may take, from its first byte or from the beginning of the connection.
    var headTimeout = TimeAmount.seconds(10)
    /// How long a connection may be idle between two requests.
    var idleTimeout = TimeAmount.seconds(60)
    /// How long a client may leave unread what was written for it.
    var writeTimeout = TimeAmount.seconds(30)
    /// How long a connection stays that was refused.
    var lingering = TimeAmount.milliseconds(500)
    /// How many connections there may be.
    var connections = 256
  }
#endif
