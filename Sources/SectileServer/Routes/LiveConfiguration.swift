#if Server
  /// How much of everything ``LiveRoutes`` may have.
  public struct LiveConfiguration: Sendable {
    var views = ViewLimits()
    var streams = StreamLimits()

    /// How many streams of events may be open.
    public var streamLimit: Int {
      get { streams.streams }
      set { streams.streams = max(0, newValue) }
    }

    /// How many views one stream may have.
    public var viewsPerStream: Int {
      get { streams.viewsPerStream }
      set { streams.viewsPerStream = max(1, newValue) }
    }

    /// How long a stream may be silent, before an event `heartbeat` says that it is alive; 15
    /// seconds by default.
    ///
    /// Clients are told of it, and `sectile.js` takes a stream for dead that was silent for three
    /// times as long.
    public var heartbeat: Duration {
      get { streams.heartbeat }
      set { streams.heartbeat = max(newValue, .milliseconds(1)) }
    }

    /// How long a client may leave unread what is written for it; then its stream ends, and it may
    /// come back with its position.
    public var writeTime: Duration {
      get { streams.writeTime }
      set { streams.writeTime = newValue }
    }

    /// How long a view stays that nobody uses: its rows are known and followed for as long.
    public var graceTime: Duration {
      get { views.graceTime }
      set { views.graceTime = newValue }
    }

    /// How many rows are answered at once.
    public var rowsPerAnswer: Int {
      get { views.rowsPerAnswer }
      set { views.rowsPerAnswer = max(1, newValue) }
    }

    /// Creates a configuration: 64 streams of 16 views, a heartbeat every 15 seconds.
    public init() {}
  }
#endif
