/// A source whose items can be brought into another order.
///
/// A type that can never do it does not adopt the protocol; one that cannot do it for some items says so by
/// ``ItemEditing/allows(_:at:)``. To move through compositions, call ``DataSource/moveItem(from:to:)`` on
/// what is shown.
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
  /// - Throws: ``DataSourceError`` with `noSuchPath`, and what else keeps the source from it. Nothing
  ///   has changed then.
  func move(from path: ItemPath, to target: ItemPath) throws
}
