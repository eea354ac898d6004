public import FoundationEssentials
internal import SectileCore

/// The patience and the limits of a ``FeedClient``.
///
/// ```swift
/// var configuration = FeedClientConfiguration()
/// configuration.heartbeat = .seconds(5)
/// ```
public struct FeedClientConfiguration: Sendable {
  /// How often the service says something, if only that it is there.
  ///
  /// After the time of three the client takes the connection for dead. A service that says how
  /// long its own are at the beginning of a stream, as `sectile serve` does, is believed.
  public var heartbeat: Duration
  /// The wait after the first failure, unless the service asks for another by `retry`.
  public var firstDelay: Duration
  /// The longest wait that doubling leads to, and that `retry` may ask for.
  public var delayLimit: Duration
  /// The longest wait that a busy service may ask for by `Retry-After`.
  public var retryAfterLimit: Duration
  /// How many bytes an event may have.
  public var eventSizeLimit: Int
  /// Whether another file, source, shape or request behind the same address is followed like a new
  /// version of the same list; otherwise the client ends, and says so.
  public var acceptsOtherSources: Bool
  /// What waits are measured with.
  public var clock: any Clock<Duration>
  /// Returns the moment that it is, for ``FeedClientState/stale(since:)``.
  public var now: @Sendable () -> Date
  /// What the random part of waits begins with; nil for other numbers every time.
  public var jitterSeed: UInt64?
  /// Where the client is driven; nil for the shared pool of threads.
  public var executor: (any TaskExecutor)?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - heartbeat: How often the service says something.
  ///   - firstDelay: The wait after the first failure.
  ///   - delayLimit: The longest wait that doubling leads to.
  ///   - retryAfterLimit: The longest wait that a busy service may ask for.
  ///   - eventSizeLimit: How many bytes an event may have.
  ///   - acceptsOtherSources: Whether another file, source, shape or request is followed.
  ///   - clock: What waits are measured with.
  ///   - now: Returns the moment that it is.
  ///   - jitterSeed: What the random part of waits begins with.
  ///   - executor: Where the client is driven.
  public init(
    heartbeat: Duration = .seconds(15), firstDelay: Duration = .milliseconds(500),
    delayLimit: Duration = .seconds(30), retryAfterLimit: Duration = .seconds(300),
    eventSizeLimit: Int = 64 << 20, acceptsOtherSources: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, jitterSeed: UInt64? = nil,
    executor: (any TaskExecutor)? = nil
  ) {
    self.heartbeat = heartbeat
    self.firstDelay = firstDelay
    self.delayLimit = delayLimit
    self.retryAfterLimit = retryAfterLimit
    self.eventSizeLimit = eventSizeLimit
    self.acceptsOtherSources = acceptsOtherSources
    self.clock = clock
    self.now = now
    self.jitterSeed = jitterSeed
    self.executor = executor
  }

  /// Returns how long to wait before the next attempt.
  ///
  /// - Parameters:
  ///   - failures: How many attempts in a row led to nothing, this one included.
  ///   - retry: What the service asks for in its stream.
  ///   - retryAfter: What it asked for instead of one.
  ///   - jitter: A random number in `0..<1`: how much of the variable half of the wait to leave
  ///     out.
  /// - Returns: How long to wait.
  func delay(
    after failures: Int, retry: Duration?, retryAfter: Duration?, jitter: Double
  ) -> Duration {
    // A service that asks for no wait at all is left alone for longer each time, too.
    var delay = min(max(retry ?? firstDelay, .milliseconds(1)), delayLimit)
    for _ in 0..<min(max(failures - 1, 0), 30) where delay < delayLimit { delay = delay * 2 }
    delay = min(delay, delayLimit) * (1 - jitter / 2)
    return max(delay, min(retryAfter ?? .zero, retryAfterLimit)).waitable
  }
}
