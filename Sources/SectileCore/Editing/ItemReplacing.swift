/// A source whose items can be replaced by others, or by other states of themselves.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items
/// says so by ``ItemEditing/allows(_:at:)``. To replace through compositions, call
/// ``DataSource/replaceItem(at:with:)`` on what is shown.
public protocol ItemReplacing<ItemID, Item>: ItemEditing {
  /// Replaces the item at a path.
  ///
  /// With the same identity it is an update, with another one a deletion and an insertion.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`, and what else keeps
  ///   the source from it. Nothing has changed then.
  func replace(at path: ItemPath, with item: Item) throws

  /// Replaces the item with an identity, wherever it is by now.
  ///
  /// Unless implemented, the item is looked for and then replaced by its path: where another thread
  /// changes the source in between, that may be another item.
  ///
  /// - Parameters:
  ///   - id: The item's identity.
  ///   - item: What there is in its place.
  ///   - expected: What the item must be, as somebody read it; nil for whatever it is.
  /// - Throws: ``DataSourceError`` with `noSuchItem`, with `itemChanged` where the item is another
  ///   by now, with `notComparable`; what ``replace(at:with:)`` throws. Nothing has changed then.
  func replace(id: ItemID, with item: Item, ifStill expected: Item?) throws
}

extension ItemReplacing {
  /// Looks for the item, and replaces it by its path.
  public func replace(id: ItemID, with item: Item, ifStill expected: Item?) throws {
    try replace(at: path(of: id, ifStill: expected), with: item)
  }

  /// Replaces the item with an identity, whatever it is by now.
  ///
  /// See ``replace(id:with:ifStill:)``.
  public func replace(id: ItemID, with item: Item) throws {
    try replace(id: id, with: item, ifStill: nil)
  }
}
