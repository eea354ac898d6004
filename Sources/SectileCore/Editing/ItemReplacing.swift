/// A source whose items can be replaced by others, or by other states of themselves.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items says so by
/// ``ItemEditing/allows(_:at:)``. To replace through compositions, call ``DataSource/replaceItem(at:with:)`` on
/// what is shown.
public protocol ItemReplacing<ItemID, Item>: ItemEditing {
  /// Replaces the item at a path.
  ///
  /// With the same identity it is an update, with another one a deletion and an insertion.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`, and what else keeps the
  ///   source from it. Nothing has changed then.
  func replace(at path: ItemPath, with item: Item) throws
}
