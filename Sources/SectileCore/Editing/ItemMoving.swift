/// A source whose items can be brought into another order.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items
/// says so by ``ItemEditing/allows(_:at:)``. To move through compositions, call
/// ``DataSource/moveItem(from:to:)`` on what is shown.
public protocol ItemMoving<ItemID, Item>: ItemEditing {
  /// Moves the item at a path to where another path points to once the item is taken out.
  ///
  /// A section that held nothing but the item stays until the item is in its new place, so that no
  /// section ordinal shifts in between.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - target: Where it goes: before the item that is there once it is taken out, or just behind
  ///     the last item of a section.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, and what else keeps the source from it.
  ///   Nothing has changed then.
  func move(from path: ItemPath, to target: ItemPath) throws

  /// Returns where an item lands that is moved; the target unless implemented.
  ///
  /// It is another place where the source has more to say about it than whoever moves the item: one
  /// that groups items by what they are keeps each in its section.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - target: Where it is moved to.
  /// - Returns: Where ``move(from:to:)`` brings it, in the terms of `target`: in a section as they
  ///   stand before the move; nil where that throws.
  func destination(forMovingItemAt path: ItemPath, to target: ItemPath) -> ItemPath?
}

extension ItemMoving {
  /// Returns the target.
  public func destination(forMovingItemAt path: ItemPath, to target: ItemPath) -> ItemPath? {
    target
  }
}
