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
  /// of the source below all compositions.
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
    } else if let end = endOfSource(ofEmptySection: path.section) {
      target = end
    }
    guard let source = target.source as? any ItemInserting else {
      throw DataSourceError.notSupported(.inserting, by: target.source)
    }
    try Self.insert(item, into: source, at: target.path)
  }

  /// Moves the item at a path, in its own source, to where another path points to once the item is
  /// taken out.
  ///
  /// The new place is found by the items beside it. An item that goes down its section is placed
  /// behind the item that then comes before it, any other before the item that then comes after it;
  /// so that items of the source which a composition does not show stay where they are.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - target: Where it goes; see ``ItemMoving/move(from:to:)``.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, with `notSupported` where the item's source
  ///   is not ``ItemMoving``, with `differentSources` where no item beside the new place comes from
  ///   the item's source, with `sectionIsWorkedOut` where the item would stay in its section; and
  ///   what that source throws.
  public func moveItem(from path: ItemPath, to target: ItemPath) throws {
    let origin = try resolve(path)
    guard let source = origin.source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: origin.source)
    }
    if origin.source === self { return try source.move(from: path, to: target) }
    if path == target { return }
    let place = try place(for: origin, from: path, to: target)
    if place != origin.path { try source.move(from: origin.path, to: place) }
  }

  // MARK: - Finding places

  /// Returns the path in the item's source that a path here stands for, once the item is taken out.
  package func place(
    for origin: ItemOrigin, from path: ItemPath, to target: ItemPath
  ) throws -> ItemPath {
    let place =
      try placeInEmptySection(for: origin, to: target)
      ?? placeBesideNeighbours(for: origin, from: path, to: target)
    guard target.section != path.section else { return place }
    // Moving changes the item's place, and the section of its source. Another decision stays as it
    // is.
    let (source, goal) = (
      self.origin(ofSection: path.section), self.origin(ofSection: target.section)
    )
    guard source.source === origin.source, goal.source === origin.source,
      source.deciders != goal.deciders
    else { return place }
    if place.section == origin.path.section || source.isWorkedOut || goal.isWorkedOut {
      throw DataSourceError.sectionIsWorkedOut(target, in: self)
    }
    return place
  }

  /// Returns the end of the section that a section without items shows; nil where there are items,
  /// or no such section.
  private func placeInEmptySection(
    for origin: ItemOrigin, to target: ItemPath
  ) throws -> ItemPath? {
    guard target.item == 0, isEmptySection(target.section) else { return nil }
    let goal = self.origin(ofSection: target.section)
    guard goal.source === origin.source else {
      throw DataSourceError.differentSources(origin.source, goal.source)
    }
    guard let section = goal.section else {
      throw DataSourceError.sectionIsWorkedOut(target, in: self)
    }
    let count = goal.source.numberOfItems(in: section)
    return ItemPath(
      section: section, item: count - (section == origin.path.section ? 1 : 0))
  }

  private func isEmptySection(_ section: Int) -> Bool {
    let snapshot = snapshot
    return section >= 0 && section < snapshot.numberOfSections
      && snapshot.numberOfItems(in: section) == 0
  }

  /// Returns the place behind the last item of the section that a section without items shows.
  private func endOfSource(ofEmptySection section: Int) -> ItemOrigin? {
    guard isEmptySection(section) else { return nil }
    let origin = origin(ofSection: section)
    return origin.section.map {
      ItemOrigin(
        source: origin.source,
        path: ItemPath(section: $0, item: origin.source.numberOfItems(in: $0)))
    }
  }

  private func placeBesideNeighbours(
    for origin: ItemOrigin, from path: ItemPath, to target: ItemPath
  ) throws -> ItemPath {
    // Where the neighbours of the new place are while the item is still in its old one.
    let isSameSection = target.section == path.section
    let isDownward = isSameSection && target.item > path.item
    let after = isDownward ? target.shifted(by: 1) : target
    let neighbours = [
      (path: after.shifted(by: -1), step: 1), (path: after, step: 0),
    ].filter { snapshot.contains($0.path) }
    guard !neighbours.isEmpty else { throw DataSourceError.noSuchPath(target) }
    var stranger: (any DataSource)?
    for neighbour in isDownward ? neighbours : neighbours.reversed() {
      let other = self.origin(at: neighbour.path)
      guard other.source === origin.source else {
        stranger = stranger ?? other.source
        continue
      }
      let isBehind =
        other.path.section == origin.path.section && other.path.item > origin.path.item
      // Where the items stand the other way round in their source, behind means in front there.
      let isReversed = (neighbour.path > path) != (other.path > origin.path)
      let step = isReversed ? 1 - neighbour.step : neighbour.step
      return other.path.shifted(by: step - (isBehind ? 1 : 0))
    }
    throw DataSourceError.differentSources(origin.source, stranger ?? origin.source)
  }

  /// Returns whether the items around a path stand the other way round in their source, as far as a
  /// neighbour tells.
  private func isReversed(at path: ItemPath, _ origin: ItemOrigin) -> Bool {
    for neighbour in [path.shifted(by: -1), path.shifted(by: 1)] where snapshot.contains(neighbour)
    {
      let other = self.origin(at: neighbour)
      guard other.source === origin.source else { continue }
      return (neighbour > path) != (other.path > origin.path)
    }
    return false
  }

  private func resolve(_ path: ItemPath) throws -> ItemOrigin {
    origin(at: try existing(path))
  }

  private func existing(_ path: ItemPath) throws -> ItemPath {
    guard snapshot.contains(path) else { throw DataSourceError.noSuchPath(path) }
    return path
  }

  // MARK: - Calling

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

  static func cast<Source: DataSource>(
    _ given: any Sendable, for source: Source
  ) throws -> Source.Item {
    guard let item = given as? Source.Item else {
      throw DataSourceError.itemTypeMismatch(type(of: given), Source.Item.self, in: source)
    }
    return item
  }
}

extension ItemPath {
  /// A path that a client sent may be at the end of all numbers: then the result is as little
  /// there.
  fileprivate func shifted(by distance: Int) -> ItemPath {
    ItemPath(section: section, item: item &+ distance)
  }
}

extension ItemOrigin {
  fileprivate func shifted(by distance: Int) -> ItemOrigin {
    ItemOrigin(source: source, path: path.shifted(by: distance))
  }
}
