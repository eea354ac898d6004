public import SectileCore

/// A source whose items can be removed.
///
/// A source has this capability or has not: one that cannot do it does not adopt the protocol. To
/// remove through compositions, call ``DataSource/removeItem(at:)`` on what is shown.
public protocol ItemRemoving<ItemID, Item>: DataSource {
  /// Removes the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`, and what else keeps the source from it. Nothing
  ///   has changed then.
  func remove(at path: ItemPath) throws
}
