internal import Synchronization

/// Keeps an observation going: it ends when the token is cancelled or released.
///
/// ```swift
/// let token = source.observe { event in print(event) }
/// …
/// token.cancel()
/// ```
public final class DataSourceObservation: Sendable {
  private let onCancel: Mutex<(@Sendable () -> Void)?>

  /// Creates a token that runs a closure once, when it is cancelled or released.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Mutex(onCancel)
  }

  /// Ends the observation.
  ///
  /// No call begins after this returned; one that is running on another thread is not waited for.
  /// May be called twice, and from inside the observing closure.
  public func cancel() {
    let cancel = onCancel.withLock { action in
      defer { action = nil }
      return action
    }
    cancel?()
  }

  deinit {
    cancel()
  }
}
