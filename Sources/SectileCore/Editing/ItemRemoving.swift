/// A source whose items can be removed.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items
/// says so by ``ItemEditing/allows(_:at:)``. To remove through compositions, call
/// ``DataSource/removeItem(at:)`` on what is shown.
public protocol ItemRemoving<ItemID, Item>: ItemEditing {
  /// Removes the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`, and what else keeps the source from it.
  ///   Nothing has changed then.
  func remove(at path: ItemPath) throws

  /// Removes the item with an identity, wherever it is by now.
  ///
  /// Unless implemented, the item is looked for and then removed by its path: where another thread
  /// changes the source in between, that may be another item.
  ///
  /// - Parameters:
  ///   - id: The item's identity.
  ///   - expected: What the item must be, as somebody read it; nil for whatever it is.
  /// - Throws: ``DataSourceError`` with `noSuchItem`, with `itemChanged` where the item is another
  ///   by now, with `notComparable`; what ``remove(at:)`` throws. Nothing has changed then.
  func remove(id: ItemID, ifStill expected: Item?) throws
}

extension ItemRemoving {
  /// Looks for the item, and removes it by its path.
  public func remove(id: ItemID, ifStill expected: Item?) throws {
    try remove(at: path(of: id, ifStill: expected))
  }

  /// Removes the item with an identity, whatever it is by now.
  ///
  /// See ``remove(id:ifStill:)``.
  public func remove(id: ItemID) throws { try remove(id: id, ifStill: nil) }
}
