internal import SectileCore
internal import Synchronization

/// Tells closures of events, in the order of submission, outside of every lock.
///
/// An owner submits an event where its order is decided, possibly while it holds a lock, and
/// flushes once it holds nothing any more: what ``SectileCore/DataSourceEvents`` does for loads,
/// for events that stand alone.
final class EventHub<Event: Sendable>: Sendable {
  // MARK: - Mutable state
  //
  // - `observers`: guarded by its mutex; called and released outside of it.
  private let observers = Mutex<[EventObserver<Event>]>([])
  private let collapsing: EventCollapsing<Event>?

  /// Creates a hub.
  ///
  /// - Parameter collapsing: What becomes of events that wait in too great a number; nil keeps all.
  init(collapsing: EventCollapsing<Event>? = nil) {
    self.collapsing = collapsing
  }

  /// Calls a closure with each event that is submitted from now on.
  func observe(
    on delivery: CallbackDelivery, _ handler: @escaping @Sendable (Event) -> Void
  ) -> DataSourceObservation {
    let observer = EventObserver(delivery: delivery, collapsing: collapsing, handler: handler)
    observers.withLock { $0.append(observer) }
    return DataSourceObservation { [weak self] in
      observer.cancel()
      self?.observers.withLock { $0.removeAll { $0 === observer } }
    }
  }

  /// Queues an event; calls nobody.
  func submit(_ event: Event) {
    for observer in observers.withLock({ $0 }) { observer.submit(event) }
  }

  /// Delivers what was submitted, or leaves it to whoever is at it.
  func flush() {
    for observer in observers.withLock({ $0 }) { observer.flush() }
  }
}
