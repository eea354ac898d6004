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

  /// Moves the item with an identity to the place just before another one, wherever the two are by
  /// now.
  ///
  /// Unless implemented, both are looked for, and the item is moved by its path: where another
  /// thread changes the source in between, that may be another item.
  ///
  /// - Parameters:
  ///   - id: The item's identity.
  ///   - other: The other item's identity.
  ///   - expected: What the item must be, as somebody read it; nil for whatever it is.
  /// - Throws: ``DataSourceError`` with `noSuchItem` for either, with `itemChanged` where the item
  ///   is another by now, with `notComparable`; what ``move(from:to:)`` throws. Nothing has changed
  ///   then.
  func move(id: ItemID, before other: ItemID, ifStill expected: Item?) throws

  /// Moves the item with an identity to the place just behind another one, wherever the two are by
  /// now.
  ///
  /// See ``move(id:before:ifStill:)``.
  func move(id: ItemID, behind other: ItemID, ifStill expected: Item?) throws

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

  /// Looks for the items, and moves the one by its path.
  public func move(id: ItemID, before other: ItemID, ifStill expected: Item?) throws {
    try move(id, beside: other, step: 0, ifStill: expected)
  }

  /// Looks for the items, and moves the one by its path.
  public func move(id: ItemID, behind other: ItemID, ifStill expected: Item?) throws {
    try move(id, beside: other, step: 1, ifStill: expected)
  }

  /// Moves the item with an identity to the place just before another one, whatever it is by now.
  ///
  /// See ``move(id:before:ifStill:)``.
  public func move(id: ItemID, before other: ItemID) throws {
    try move(id: id, before: other, ifStill: nil)
  }

  /// Moves the item with an identity to the place just behind another one, whatever it is by now.
  ///
  /// See ``move(id:before:ifStill:)``.
  public func move(id: ItemID, behind other: ItemID) throws {
    try move(id: id, behind: other, ifStill: nil)
  }

  private func move(
    _ id: ItemID, beside other: ItemID, step: Int, ifStill expected: Item?
  ) throws {
    let path = try path(of: id, ifStill: expected)
    guard let beside = snapshot.path(of: other) else { throw DataSourceError.noSuchItem(in: self) }
    if beside == path { return }
    // Where the other one is once this one is taken out.
    let isShifted = beside.section == path.section && beside.item > path.item
    let target = ItemPath(
      section: beside.section, item: beside.item - (isShifted ? 1 : 0) + step)
    if target != path { try move(from: path, to: target) }
  }
}
