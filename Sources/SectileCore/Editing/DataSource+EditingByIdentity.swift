// An identity stays what it is while paths shift: what somebody looked at a while ago is edited by
// it, and not what took its place.

extension DataSource {
  /// Removes the item with an identity from its own source, wherever it is by now.
  ///
  /// Between what a person sees and the tap, others may have changed the list, so that a path is
  /// another item's. An identity is not:
  ///
  /// ```swift
  /// let shown = list.snapshot
  /// …
  /// try list.removeItem(id: shown.id(at: path))      // the item that was there then
  /// ```
  ///
  /// - Parameter id: The item's identity here.
  /// - Throws: ``DataSourceError`` with `noSuchItem`, or with `notSupported` where the item's
  ///   source is not ``ItemRemoving``; and what that source throws.
  public func removeItem(id: ItemID) throws { try removeItem(id, ifStill: nil) }

  /// Removes the item with an identity from its own source, if it is still what somebody read.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - expected: What was read, of the type that the item's own source holds.
  /// - Throws: As ``removeItem(id:)``; ``DataSourceError`` with `itemChanged`, or, of a store,
  ///   `editConflict`, where the item is another by now; `itemTypeMismatch`, `notComparable`.
  public func removeItem(id: ItemID, ifStill expected: some Sendable) throws {
    try removeItem(id, ifStill: expected)
  }

  /// Replaces the item with an identity in its own source, wherever it is by now.
  ///
  /// See ``removeItem(id:)`` for what that is good for.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - item: An item of the type that the item's own source holds.
  /// - Throws: ``DataSourceError`` with `noSuchItem`, with `notSupported` where the item's source
  ///   is not ``ItemReplacing``, with `itemTypeMismatch` where it holds another type; and what that
  ///   source throws.
  public func replaceItem(id: ItemID, with item: some Sendable) throws {
    try replaceItem(id, with: item, ifStill: nil)
  }

  /// Replaces the item with an identity in its own source, if it is still what somebody read.
  ///
  /// ```swift
  /// var song = try list.item(at: path)
  /// let read = song
  /// song.title = text                                // meanwhile others may write, too
  /// try list.replaceItem(id: song.id, with: song, ifStill: read)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - item: An item of the type that the item's own source holds.
  ///   - expected: What was read, of the same type.
  /// - Throws: As ``replaceItem(id:with:)``; ``DataSourceError`` with `itemChanged`, or, of a
  ///   store, `editConflict`, where the item is another by now; `notComparable`.
  public func replaceItem(
    id: ItemID, with item: some Sendable, ifStill expected: some Sendable
  ) throws {
    try replaceItem(id, with: item, ifStill: expected)
  }

  private func removeItem(_ id: ItemID, ifStill expected: (any Sendable)?) throws {
    let item = try existingItem(id)
    guard let source = item.source as? any ItemRemoving else {
      throw DataSourceError.notSupported(.removing, by: item.source)
    }
    try Self.remove(item, from: source, ifStill: expected)
  }

  private func replaceItem(
    _ id: ItemID, with new: any Sendable, ifStill expected: (any Sendable)?
  ) throws {
    let item = try existingItem(id)
    guard let source = item.source as? any ItemReplacing else {
      throw DataSourceError.notSupported(.replacing, by: item.source)
    }
    try Self.replace(item, in: source, with: new, ifStill: expected)
  }

  func existingItem(_ id: ItemID) throws(DataSourceError) -> ItemInSource {
    guard snapshot.path(of: id) != nil, let item = itemInSource(id) else {
      throw .noSuchItem(in: self)
    }
    return item
  }

  private static func remove<Source: ItemRemoving>(
    _ item: ItemInSource, from source: Source, ifStill expected: (any Sendable)?
  ) throws {
    guard let id = item.id as? Source.ItemID else { throw DataSourceError.noSuchItem(in: source) }
    try source.remove(id: id, ifStill: expected.map { try cast($0, for: source) })
  }

  private static func replace<Source: ItemReplacing>(
    _ item: ItemInSource, in source: Source, with new: any Sendable,
    ifStill expected: (any Sendable)?
  ) throws {
    guard let id = item.id as? Source.ItemID else { throw DataSourceError.noSuchItem(in: source) }
    try source.replace(
      id: id, with: cast(new, for: source), ifStill: expected.map { try cast($0, for: source) })
  }
}
