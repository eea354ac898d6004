/// A hub, whatever its items are, as the drain sees it.
package protocol HubFlushing: AnyObject, Sendable {
  /// The tickets of the cycles that wait, ascending.
  func waitingTickets() -> [UInt64]

  /// Delivers the waiting cycles up to a ticket, or leaves them to whoever is at it.
  ///
  /// - Returns: The tickets another thread asked to deliver meanwhile, for the caller to see to.
  func deliver(through ticket: UInt64) -> [UInt64]
}

extension [any HubFlushing] {
  /// Delivers what was submitted to several hubs, in the order of submission.
  package func flush() {
    DrainScope.flush(self)
  }
}
