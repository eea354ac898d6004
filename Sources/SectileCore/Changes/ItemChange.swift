/// A row that is gone.
public struct ItemDelete<ItemID: Hashable & Sendable>: Sendable {
  /// The row's path in the contents before.
  public let path: ItemPath
  /// The row's identity.
  public let id: ItemID
  /// What the row was, for merging changesets; nil where the source cannot tell.
  package let before: RowFingerprint?

  package init(path: ItemPath, id: ItemID, before: RowFingerprint? = nil) {
    self.path = path
    self.id = id
    self.before = before
  }
}

/// A row that is new.
public struct ItemInsert<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// The row's path in the contents after.
  public let path: ItemPath
  /// The row's identity.
  public let id: ItemID
  @usableFromInline package let after: RowFingerprint?
  @usableFromInline package let payload: ItemPayload<Item>

  // Inlined: see `ItemMove`.
  @inlinable @inline(__always)
  package init(
    path: ItemPath, id: ItemID, payload: ItemPayload<Item>, after: RowFingerprint? = nil
  ) {
    self.path = path
    self.id = id
    self.payload = payload
    self.after = after
  }

  /// The new item.
  ///
  /// Rows of a commit carry their item, read in the committing transaction. Rows of a first load
  /// are read when asked for, from exactly the version the load delivered.
  ///
  /// - Throws: What reading from the source throws, for a row of a first load only.
  public var item: Item { get throws { try payload.item } }
}

/// A row that changed places: within its section relative to the rows that stayed, or into another
/// section.
public struct ItemMove<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// The row's path in the contents before.
  public let source: ItemPath
  /// The row's path in the contents after.
  public let target: ItemPath
  /// The row's identity.
  public let id: ItemID
  /// Whether the item's own values changed too.
  public let isContentChanged: Bool
  @usableFromInline package let before: RowFingerprint?
  @usableFromInline package let after: RowFingerprint?
  @usableFromInline package let payload: ItemPayload<Item>

  // Inlined, so that the types that depend on that of the items are looked up once, by the caller.
  @inlinable @inline(__always)
  package init(
    source: ItemPath, target: ItemPath, id: ItemID, isContentChanged: Bool,
    payload: ItemPayload<Item>, before: RowFingerprint? = nil, after: RowFingerprint? = nil
  ) {
    self.source = source
    self.target = target
    self.id = id
    self.isContentChanged = isContentChanged
    self.payload = payload
    self.before = before
    self.after = after
  }

  /// The item as it is after the change.
  ///
  /// See ``ItemInsert/item`` for when it is read.
  public var item: Item { get throws { try payload.item } }
}

/// A row that stayed in place relative to its neighbours and has other contents.
public struct ItemUpdate<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// The row's path in the contents before.
  public let source: ItemPath
  /// The row's path in the contents after.
  public let target: ItemPath
  /// The row's identity.
  public let id: ItemID
  @usableFromInline package let before: RowFingerprint?
  @usableFromInline package let after: RowFingerprint?
  @usableFromInline package let payload: ItemPayload<Item>

  // Inlined: see `ItemMove`.
  @inlinable @inline(__always)
  package init(
    source: ItemPath, target: ItemPath, id: ItemID, payload: ItemPayload<Item>,
    before: RowFingerprint? = nil, after: RowFingerprint? = nil
  ) {
    self.source = source
    self.target = target
    self.id = id
    self.payload = payload
    self.before = before
    self.after = after
  }

  /// The item as it is after the change.
  ///
  /// See ``ItemInsert/item`` for when it is read. What it was before is not carried along: whoever
  /// needs that keeps the source's snapshot, and reads `before.item(at: update.source)`.
  public var item: Item { get throws { try payload.item } }
}

/// An item at hand, or the way to read it.
@usableFromInline
package enum ItemPayload<Item: Sendable>: Sendable {
  case value(Item)
  case deferred(@Sendable () throws -> Item)

  package var item: Item {
    get throws {
      switch self {
      case .value(let item): item
      case .deferred(let read): try read()
      }
    }
  }
}
