/// A hub, whatever its items are, as the drain sees it.
package protocol HubFlushing: AnyObject, Sendable {
  /// What delivers for the hub.
  var core: HubCore { get }
}

extension [any HubFlushing] {
  /// Delivers what was submitted to several hubs, in the order of submission.
  package func flush() {
    DrainScope.flush(self)
  }
}
