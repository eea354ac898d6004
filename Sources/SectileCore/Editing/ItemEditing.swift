/// A source whose items can be edited in some way: what ``ItemInserting``, ``ItemRemoving``,
/// ``ItemMoving`` and ``ItemReplacing`` have in common.
///
/// A type adopts a protocol for what it can do at all. What depends on the source at hand, or on
/// the item, it answers by ``allows(_:at:)``:
///
/// ```swift
/// extension Playlist: ItemRemoving {
///   func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool { path.section > 0 }
///   func remove(at path: ItemPath) throws { … }
/// }
/// ```
public protocol ItemEditing<ItemID, Item>: DataSource {
  /// Returns whether an item may be edited in a way; true unless implemented.
  ///
  /// The source may have changed since a path was looked up: a path that does not exist any more is
  /// answered in any way, and does not trap. A true answer is no promise: the edit itself throws
  /// what keeps the source from it.
  ///
  /// - Parameters:
  ///   - capability: The way; one that the type has.
  ///   - path: Where the item is; for inserting, where the new one would be.
  /// - Returns: Whether it may.
  func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool
}

extension ItemEditing {
  /// Returns true.
  public func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool { true }
}
