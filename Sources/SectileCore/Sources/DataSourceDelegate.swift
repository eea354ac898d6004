/// Hears of a data source's loads and changes.
///
/// Deletes, and the *from* of a move or update, are paths in the contents **before** the change.
/// Inserts, and the *to* of a move or update, are paths in the contents **after** it. Apply deletes
/// in descending order, then inserts in ascending order.
///
/// The calls follow the grammar `willLoad didPartiallyLoad* (didFinishLoading | didFail)`. They are
/// made where the source's ``CallbackDelivery`` says, never under a lock: a delegate may write,
/// load, cancel and read. What it causes is delivered after the current changeset ended.
public protocol DataSourceDelegate<ItemID, Item>: AnyObject, Sendable {
  /// What identifies an item of the source.
  associatedtype ItemID: Hashable & Sendable
  /// What a row of the source is.
  associatedtype Item: Sendable

  /// Tells that changes follow. A reader still sees the contents before them.
  func dataSourceWillLoad(_ source: any DataSource<ItemID, Item>)

  /// Tells of changes. A reader sees the contents after them.
  func dataSource(
    _ source: any DataSource<ItemID, Item>, didPartiallyLoad changes: Changeset<ItemID, Item>)

  /// Tells that the load, or the commit, is complete.
  func dataSourceDidFinishLoading(_ source: any DataSource<ItemID, Item>)

  /// Tells that loading failed. The last good contents stay readable, and the next changeset is
  /// relative to them.
  func dataSource(_ source: any DataSource<ItemID, Item>, didFailWith error: any Error)
}

extension DataSourceDelegate {
  /// Does nothing.
  public func dataSourceWillLoad(_ source: any DataSource<ItemID, Item>) {}

  /// Does nothing.
  public func dataSourceDidFinishLoading(_ source: any DataSource<ItemID, Item>) {}

  /// Does nothing.
  public func dataSource(_ source: any DataSource<ItemID, Item>, didFailWith error: any Error) {}
}
