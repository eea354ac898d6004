internal import Synchronization

// Waiting until what was submitted is delivered, by whichever thread is at it.
extension HubCore {
  /// Whether the calling code runs inside a callback, of whichever source.
  package static var isInsideCallback: Bool { CurrentDrain.identity != nil }

  /// Whether something that is delivered at once, and not elsewhere, has not been delivered to its
  /// end.
  package var isAtWork: Bool {
    delivery.run == nil && state.withLock { $0.isDelivering || !$0.tickets.isEmpty }
  }

  /// Whether a load was announced that is ended by a later cycle.
  package var isLoading: Bool { state.withLock { $0.openLoad != nil } }

  /// Has a closure called once when everything that was submitted so far is delivered, or another
  /// when that is dropped, since the source was cancelled.
  ///
  /// Its turn comes when the hub is flushed; so whoever waits for it flushes.
  package func submitEnd(
    _ end: @escaping @Sendable () -> Void, onDropped: @escaping @Sendable () -> Void
  ) {
    submitApart(
      ErasedCycle(
        .derive {
          end()
          return nil
        }, onDropped: onDropped))
  }
}
