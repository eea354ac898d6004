internal import SectileCore

extension FeedResponse {
  /// How a client is told, and for how long it is waited for.
  public struct Options: Sendable {
    /// How long the stream may be silent, before an event `heartbeat` says that it is alive; 15
    /// seconds by default.
    ///
    /// Clients are told of it, and take a stream for dead that was silent for three times as long.
    public var heartbeat: Duration
    /// How long a client waits before it connects again; 2 seconds by default.
    public var retry: Duration
    /// How long a client may leave unread what is written for it; 30 seconds by default.
    ///
    /// Then its stream ends, and it may come back with its position. Where the feed has ended, or
    /// its server ends, it is 300 milliseconds.
    public var writeTimeout: Duration
    /// How many bytes are gathered for a client at most, before another event is read; 65,536 by
    /// default.
    public var chunkBytes: Int
    /// How long an answer about a client's authorization is good for; 30 seconds by default.
    public var authorizationInterval: Duration
    /// What is done if the client is slow.
    public var buffering: FeedBuffering

    /// What measures the time.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options; numbers below the least that make sense are taken for that.
    public init(
      heartbeat: Duration = .seconds(15), retry: Duration = .seconds(2),
      writeTimeout: Duration = .seconds(30), chunkBytes: Int = 65_536,
      authorizationInterval: Duration = .seconds(30), buffering: FeedBuffering = .coalescing
    ) {
      self.heartbeat = heartbeat
      self.retry = retry
      self.writeTimeout = writeTimeout
      self.chunkBytes = chunkBytes
      self.authorizationInterval = authorizationInterval
      self.buffering = buffering
    }

    /// Returns what tells how much time has passed since now.
    func stopwatch() -> @Sendable () -> Duration { Self.stopwatch(clock) }

    private static func stopwatch<Measure: Clock>(
      _ clock: Measure
    ) -> @Sendable () -> Duration where Measure.Duration == Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }

    /// The same, with numbers that make sense.
    var sensible: Options {
      let least = Duration.milliseconds(1)
      var options = self
      options.heartbeat = max(least, heartbeat.waitable)
      options.writeTimeout = max(least, writeTimeout.waitable)
      options.chunkBytes = max(1, chunkBytes)
      return options
    }
  }

  /// How many streams there are, and what became of others.
  public struct Statistics: Hashable, Sendable, Encodable {
    /// How many are open.
    public var openStreams = 0
    /// How many were cut off, because the client did not read.
    public var stalledStreams = 0
    /// How many ended, because the client was not allowed any more.
    public var refusedStreams = 0

    init() {}
  }
}
