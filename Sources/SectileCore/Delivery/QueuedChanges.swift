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
  // Not copied: see ``BoundDelegate``.
  private struct Reference: ~Copyable {
    weak var changes: (any QueuedChanges)?
  }

  private let reference: Reference

  init(_ changes: any QueuedChanges) { reference = Reference(changes: changes) }

  /// The source, or nil once it was released.
  var changes: (any QueuedChanges)? { reference.changes }
}
