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
}
