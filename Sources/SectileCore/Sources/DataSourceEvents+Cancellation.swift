internal import Synchronization

extension DataSourceEvents {
  /// Calls a closure after each cancellation, until the token is cancelled or released.
  ///
  /// The callbacks of a source end with its cancellation, so that a composition, whose load is open
  /// while the source is loading, would wait for ever.
  ///
  /// - Parameter action: What to call; it is called outside of every lock, on the cancelling thread.
  /// - Returns: The token.
  package func observeCancellation(
    _ action: @escaping @Sendable () -> Void
  ) -> DataSourceObservation {
    let listener = CancellationListener(action)
    core.state.withLock { $0.cancellationListeners.append(listener) }
    return DataSourceObservation { [weak core] in
      core?.state.withLock { $0.cancellationListeners.removeAll { $0 === listener } }
    }
  }
}

/// Who is to be told of cancellations.
final class CancellationListener: Sendable {
  let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }
}
