/// A source whose changes wait in a queue of its own, and are flipped one by one when their turns
/// come.
package protocol QueuedChanges: AnyObject, Sendable {
  /// Whether a change waits: a load that came before may have delivered it already.
  var hasPending: Bool { get }

  /// Makes the oldest change visible; nil if there is none any more.
  ///
  /// - Returns: A ``DeliveredChanges`` of the source's items.
  func flip() -> (any AnyObject & Sendable)?
}

/// A weak reference to such a source: its hub must not keep it.
final class WeakQueuedChanges: Sendable {
  // Set by the initializer only; reading a weak reference on several threads is safe.
  nonisolated(unsafe) private(set) weak var changes: (any QueuedChanges)?

  init(_ changes: any QueuedChanges) { self.changes = changes }
}
