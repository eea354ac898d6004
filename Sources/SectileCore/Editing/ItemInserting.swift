/// A source that takes in new items.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items
/// says so by ``ItemEditing/allows(_:at:)``. To insert through compositions, call
/// ``DataSource/insertItem(_:at:)`` on what is shown.
public protocol ItemInserting<ItemID, Item>: ItemEditing {
  /// Inserts an item before the one at a path, or at the end where the path is just behind a
  /// section's last item.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`, and what else keeps
  ///   the source from it. Nothing has changed then.
  func insert(_ item: Item, at path: ItemPath) throws
}
