/// The limits and the patience of a remote source.
///
/// ```swift
/// var configuration = RemoteConfiguration()
/// configuration.requestTimeout = .seconds(5)
/// configuration.retry = .never
/// ```
public struct RemoteConfiguration: Sendable {
  /// When a request that failed is made again.
  public var retry: RetryPolicy
  /// How long one attempt of one request may take; nil for as long as it takes.
  public var requestTimeout: Duration?
  /// How long a load may take with all its requests and waits; nil for as long as it takes.
  public var loadTimeout: Duration?
  /// How many pages in a row may be without items and yet have a next page.
  public var emptyPageLimit: Int
  /// How many pages a list may have.
  public var pageCountLimit: Int
  /// What timeouts and waits are measured with.
  public var clock: any Clock<Duration>
  /// What the random part of waits begins with; nil for other numbers every time.
  public var jitterSeed: UInt64?
  /// Where requests are driven; nil for the shared pool of threads.
  public var executor: (any TaskExecutor)?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - retry: When a request that failed is made again.
  ///   - requestTimeout: How long one attempt of one request may take.
  ///   - loadTimeout: How long a load may take with all its requests and waits.
  ///   - emptyPageLimit: How many pages in a row may be without items and yet have a next page.
  ///   - pageCountLimit: How many pages a list may have.
  ///   - clock: What timeouts and waits are measured with.
  ///   - jitterSeed: What the random part of waits begins with; nil for other numbers every time.
  ///   - executor: Where requests are driven; nil for the shared pool of threads.
  public init(
    retry: RetryPolicy = .standard, requestTimeout: Duration? = .seconds(30),
    loadTimeout: Duration? = .seconds(600), emptyPageLimit: Int = 8, pageCountLimit: Int = 10_000,
    clock: any Clock<Duration> = ContinuousClock(), jitterSeed: UInt64? = nil,
    executor: (any TaskExecutor)? = nil
  ) {
    self.retry = retry
    self.requestTimeout = requestTimeout
    self.loadTimeout = loadTimeout
    self.emptyPageLimit = emptyPageLimit
    self.pageCountLimit = pageCountLimit
    self.clock = clock
    self.jitterSeed = jitterSeed
    self.executor = executor
  }
}
