/// One step of a data source's lifecycle, for observers that prefer one closure to four methods.
public enum DataSourceEvent<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// Changes follow; a reader still sees the contents before them.
  case willLoad
  /// The contents changed.
  case didPartiallyLoad(Changeset<ItemID, Item>)
  /// The load, or the commit, is complete.
  case didFinishLoading
  /// Loading failed; the last good contents stay readable.
  case didFail(any Error)
}
