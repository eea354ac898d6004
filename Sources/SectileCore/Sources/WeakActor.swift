internal import Synchronization

/// A weak reference to an actor that may be passed between threads.
final class WeakActor: Sendable {
  private struct Reference {
    weak var actor: (any Actor)?
  }

  private let reference: Mutex<Reference>

  init(_ actor: any Actor) {
    reference = Mutex(Reference(actor: actor))
  }

  /// The actor, or nil once it was released.
  var actor: (any Actor)? {
    reference.withLock { $0.actor }
  }
}
