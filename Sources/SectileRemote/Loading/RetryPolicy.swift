/// When a request that failed is made again, and how long after.
///
/// The wait doubles with every attempt, up to a maximum, and a random part of it is left out, so
/// that many clients that failed at once do not come back at once:
///
/// ```swift
/// var policy = RetryPolicy.standard     // 4 attempts, about 0.5, 1 and 2 seconds apart
/// policy.attemptCountLimit = 6
/// policy.isRetryable = { ($0 as? RemoteError)?.status == 503 }
/// ```
///
/// Where the service says how long it wants to be left alone (`Retry-After`), the wait is at least
/// that; a service that asks for more than ``retryAfterLimit`` is not asked again.
public struct RetryPolicy: Sendable {
  /// How often a request is made at most, the first time included; less than one counts as one.
  public var attemptCountLimit: Int
  /// The wait after the first failure.
  public var firstDelay: Duration
  /// The longest wait that doubling leads to.
  public var delayLimit: Duration
  /// The longest wait that the service may ask for.
  public var retryAfterLimit: Duration
  /// Returns whether it is worth trying again after an error.
  public var isRetryable: @Sendable (any Error) -> Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attemptCountLimit: How often a request is made at most, the first time included.
  ///   - firstDelay: The wait after the first failure.
  ///   - delayLimit: The longest wait that doubling leads to.
  ///   - retryAfterLimit: The longest wait that the service may ask for.
  ///   - isRetryable: Returns whether it is worth trying again after an error.
  public init(
    attemptCountLimit: Int = 4, firstDelay: Duration = .milliseconds(500),
    delayLimit: Duration = .seconds(30), retryAfterLimit: Duration = .seconds(60),
    isRetryable: @escaping @Sendable (any Error) -> Bool = RetryPolicy.isTransient
  ) {
    self.attemptCountLimit = attemptCountLimit
    self.firstDelay = firstDelay
    self.delayLimit = delayLimit
    self.retryAfterLimit = retryAfterLimit
    self.isRetryable = isRetryable
  }

  /// Four attempts, about 0.5, 1 and 2 seconds apart, after transient errors.
  public static let standard = RetryPolicy()
  /// One attempt.
  public static let never = RetryPolicy(attemptCountLimit: 1)

  /// Returns whether an error may be gone the next time.
  ///
  /// A ``RemoteError`` knows; of any other error it is supposed, except of a cancellation.
  ///
  /// - Parameter error: What the loader threw.
  /// - Returns: Whether it is worth trying again.
  public static func isTransient(_ error: any Error) -> Bool {
    if let error = error as? RemoteError { return error.isTransient }
    return !(error is CancellationError)
  }

  /// Returns how long to wait before the next attempt, or nil where there is none.
  ///
  /// - Parameters:
  ///   - attempt: How often the request was made so far.
  ///   - error: What the last attempt threw.
  ///   - jitter: A random number in `0..<1`: how much of the variable half of the wait to leave
  ///     out.
  /// - Returns: How long to wait.
  package func delay(after attempt: Int, error: any Error, jitter: Double) -> Duration? {
    guard attempt < attemptCountLimit, isRetryable(error) else { return nil }
    let doublings = min(attempt - 1, 30)
    var delay = firstDelay
    for _ in 0..<doublings where delay < delayLimit { delay = delay * 2 }
    delay = min(delay, delayLimit) * (1 - jitter / 2)
    guard let asked = (error as? RemoteError)?.retryAfter else { return delay }
    return asked <= retryAfterLimit ? max(delay, asked) : nil
  }
}
