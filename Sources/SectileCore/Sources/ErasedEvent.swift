/// A changeset, whatever its items are: a ``DeliveredChanges`` that only who listens looks into.
typealias ErasedChanges = AnyObject & Sendable

/// One step of a source's lifecycle, whatever the source's items are.
///
/// See ``DataSourceEvent`` for more information.
enum ErasedEvent: Sendable {
  case willLoad
  case didPartiallyLoad(any ErasedChanges)
  case didFinishLoading
  case didFail(any Error)

  /// Returns the event for those who know the items.
  ///
  /// - Precondition: The event comes from a hub of such items.
  func event<ItemID: Hashable & Sendable, Item: Sendable>() -> DataSourceEvent<ItemID, Item> {
    switch self {
    case .willLoad: .willLoad
    case .didPartiallyLoad(let changes):
      .didPartiallyLoad(unsafeDowncast(changes, to: DeliveredChanges<ItemID, Item>.self).changes)
    case .didFinishLoading: .didFinishLoading
    case .didFail(let error): .didFail(error)
    }
  }
}
