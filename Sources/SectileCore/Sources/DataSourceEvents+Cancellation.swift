internal import Synchronization

extension DataSourceEvents {
  /// Calls a closure after each cancellation, until the token is cancelled or released.
  ///
  /// The callbacks of a source end with its cancellation, so that a composition, whose load is open
  /// while the source is loading, would wait for ever.
  ///
  /// - Parameter action: What to call; it is called outside of every lock, on the cancelling
  ///   thread.
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
  /// Whether the sequences of the source are at their end, and those too that are opened later: its
  /// store is closed.
  package var hasEnded: Bool { core.state.withLock { $0.isRingEnded } }

  /// Ends the sequences of the source: nothing more will be told.
  package func endSequences() { core.endRing() }

  /// Calls a closure when the sequences of the source end for good, at once where they have, until
  /// the token is cancelled or released.
  ///
  /// - Parameter action: What to call; it is called outside of every lock, on any thread.
  /// - Returns: The token.
  package func observeEnd(_ action: @escaping @Sendable () -> Void) -> DataSourceObservation {
    let listener = CancellationListener(action)
    let hasEnded = core.state.withLock { state in
      if !state.isRingEnded { state.endListeners.append(listener) }
      return state.isRingEnded
    }
    if hasEnded { action() }
    return DataSourceObservation { [weak core] in
      core?.state.withLock { $0.endListeners.removeAll { $0 === listener } }
    }
  }
}
