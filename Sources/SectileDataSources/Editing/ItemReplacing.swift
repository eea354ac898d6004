public import SectileCore

/// A source whose items can be replaced by others, or by other states of themselves.
///
/// A source has this capability or has not: one that cannot do it does not adopt the protocol. To
/// replace through compositions, call ``DataSource/replaceItem(at:with:)`` on what is
/// shown.
public protocol ItemReplacing<ItemID, Item>: DataSource {
  /// Replaces the item at a path.
  ///
  /// With the same identity it is an update, with another one a deletion and an insertion.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`, and what else keeps the
  ///   source from it. Nothing has changed then.
  func replace(at path: ItemPath, with item: Item) throws
}
