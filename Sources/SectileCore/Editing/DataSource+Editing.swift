// Editing reaches an item's own source through any composition: the path is resolved to the item's
// origin, and the source found there is asked for the capability.
//
// The contents should not change between reading a path and editing at it. Where they may, edit in
// a callback or on the thread that changes the source.

extension DataSource {
  /// Returns whether the item at a path can be edited in a way: whether its own source, below all
  /// compositions, has the capability and allows it there.
  ///
  /// - Returns: False also where there is no item at the path.
  public func canEdit(_ capability: EditingCapability, at path: ItemPath) -> Bool {
    guard snapshot.contains(path) else { return false }
    let origin = origin(at: path)
    return capability.isPresent(in: origin.source, at: origin.path)
  }

  /// Removes the item at a path from its own source.
  ///
  /// ```swift
  /// let list = fruit.concatenated(with: vegetables)
  /// try list.removeItem(at: path)                   // removes from fruit or from vegetables
  /// ```
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`, or with `notSupported` where the item's
  ///   source is not ``ItemRemoving``; and what that source throws.
  public func removeItem(at path: ItemPath) throws {
    let origin = try resolve(path)
    guard let source = origin.source as? any ItemRemoving else {
      throw DataSourceError.notSupported(.removing, by: origin.source)
    }
    try source.remove(at: origin.path)
  }

  /// Replaces the item at a path in its own source.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - item: An item of the type that the item's own source holds. Compositions may show another
  ///     type, one that they made of it.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, with `notSupported` where the item's source
  ///   is not ``ItemReplacing``, with `itemTypeMismatch` where it holds another type; and what that
  ///   source throws.
  public func replaceItem(at path: ItemPath, with item: some Sendable) throws {
    let origin = try resolve(path)
    guard let source = origin.source as? any ItemReplacing else {
      throw DataSourceError.notSupported(.replacing, by: origin.source)
    }
    try Self.replace(in: source, at: origin.path, with: item)
  }

  /// Inserts an item before the one at a path, or behind the last one of a section, into the source
  /// of the item that is there.
  ///
  /// Where the section has no items, the item is inserted at the end of the section that it shows,
  /// of the source below all compositions; results of a store begin a section that they do not have
  /// yet.
  ///
  /// - Parameters:
  ///   - item: An item of the type that the neighbour's own source holds.
  ///   - path: Where an item is, or the path behind the last one of a section.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, with `notSupported` where the source is not
  ///   ``ItemInserting``, with `itemTypeMismatch` where it holds another type; and what that source
  ///   throws.
  public func insertItem(_ item: some Sendable, at path: ItemPath) throws {
    var target = ItemOrigin(source: self, path: path)
    if snapshot.contains(path) {
      target = origin(at: path)
      if isReversed(at: path, target) { target = target.shifted(by: 1) }
    } else if path.item > 0 {
      let last = try existing(ItemPath(section: path.section, item: path.item - 1))
      target = origin(at: last)
      if !isReversed(at: last, target) { target = target.shifted(by: 1) }
    } else if path.item == 0, isEmptySection(path.section) {
      if let end = end(of: origin(ofSection: path.section), without: nil) {
        switch end.place {
        case .path(let place): target = ItemOrigin(source: end.source, path: place)
        case .emptySection(let identity):
          guard let source = end.source as? any PlaceTaking else {
            throw DataSourceError.sectionIsWorkedOut(path, in: self)
          }
          return try Self.insert(item, into: source, emptySection: identity)
        }
      }
    } else if !(self is any ItemInserting) {
      // A source that takes items may begin with the first one.
      throw DataSourceError.noSuchPath(path)
    }
    guard let source = target.source as? any ItemInserting else {
      throw DataSourceError.notSupported(.inserting, by: target.source)
    }
    try Self.insert(item, into: source, at: target.path)
  }

  /// Inserts an item at the end of a section, which may be empty.
  ///
  /// ```swift
  /// try board.insertItem(card, toSection: .integer(done.id))
  /// ```
  ///
  /// See ``insertItem(_:at:)`` for more information.
  ///
  /// - Parameters:
  ///   - item: An item of the type that the section's own source holds.
  ///   - section: The section's identity here.
  /// - Throws: As ``insertItem(_:at:)``; ``DataSourceError`` with `noSuchSection`.
  public func insertItem(_ item: some Sendable, toSection section: StoredValue) throws {
    let snapshot = snapshot
    guard let number = snapshot.section(withIdentity: section) else {
      throw DataSourceError.noSuchSection(in: self)
    }
    let end = ItemPath(section: number, item: snapshot.numberOfItems(in: number))
    try insertItem(item, at: end)
  }

  /// Moves the item at a path, in its own source, to where another path points to once the item is
  /// taken out.
  ///
  /// The new place is found by the items beside it. An item that goes down its section is placed
  /// behind the item that then comes before it, any other before the item that then comes after it;
  /// so that items of the source which a composition does not show stay where they are.
  ///
  /// Results of a store take in more. A row that is put into an empty section of
  /// `sectioned(by:of:)` begins that section in its table's column. One that is put among rows of
  /// other results of the same table, as in another part of a `flatMap`, gets the values that those
  /// want: `listID = 7`. Either is one transaction.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - target: Where it goes; see ``ItemMoving/move(from:to:)``.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, with `notSupported` where the item's source
  ///   is not ``ItemMoving``, with `differentSources` where no item beside the new place comes from
  ///   the item's source or from one that takes it, with `sectionIsWorkedOut` where the item would
  ///   stay in its section; and what that source throws.
  public func moveItem(from path: ItemPath, to target: ItemPath) throws {
    let origin = try resolve(path)
    guard let source = origin.source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: origin.source)
    }
    if origin.source === self { return try source.move(from: path, to: target) }
    if path == target { return }
    let goal = try goal(for: origin, from: path, to: target)
    try goal.move(from: origin.path, of: source)
  }

  // MARK: - Calling

  private func resolve(_ path: ItemPath) throws -> ItemOrigin {
    origin(at: try existing(path))
  }

  private func existing(_ path: ItemPath) throws -> ItemPath {
    guard snapshot.contains(path) else { throw DataSourceError.noSuchPath(path) }
    return path
  }

  private static func replace<Source: ItemReplacing>(
    in source: Source, at path: ItemPath, with item: some Sendable
  ) throws {
    try source.replace(at: path, with: cast(item, for: source))
  }

  private static func insert<Source: ItemInserting>(
    _ item: some Sendable, into source: Source, at path: ItemPath
  ) throws {
    try source.insert(cast(item, for: source), at: path)
  }

  private static func insert<Source: PlaceTaking>(
    _ item: some Sendable, into source: Source, emptySection identity: StoredValue
  ) throws {
    try source.insert(cast(item, for: source), intoEmptySection: identity)
  }

  package static func cast<Source: DataSource>(
    _ given: any Sendable, for source: Source
  ) throws -> Source.Item {
    guard let item = given as? Source.Item else {
      throw DataSourceError.itemTypeMismatch(type(of: given), Source.Item.self, in: source)
    }
    return item
  }
}

extension ItemOrigin {
  fileprivate func shifted(by distance: Int) -> ItemOrigin {
    ItemOrigin(source: source, path: path.shifted(by: distance))
  }
}
