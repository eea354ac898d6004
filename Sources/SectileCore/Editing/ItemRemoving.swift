/// A source whose items can be removed.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items says so by
/// ``ItemEditing/allows(_:at:)``. To remove through compositions, call ``DataSource/removeItem(at:)`` on
/// what is shown.
public protocol ItemRemoving<ItemID, Item>: ItemEditing {
  /// Removes the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`, and what else keeps the source from it. Nothing
  ///   has changed then.
  func remove(at path: ItemPath) throws
}
