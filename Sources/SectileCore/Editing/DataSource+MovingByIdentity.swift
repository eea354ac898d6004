// Between what a person drags and the drop, others may have changed the list: the row that was
// dragged goes next to the row that it was dropped on, wherever the two are by now.

extension DataSource {
  /// Moves the item with an identity, in its own source, to the place just before another one,
  /// wherever the two are by now.
  ///
  /// See ``removeItem(id:)`` for what that is good for.
  ///
  /// ```swift
  /// let shown = board.snapshot
  /// …
  /// try board.moveItem(id: shown.id(at: dragged), before: shown.id(at: dropped))
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - other: The other item's identity here.
  /// - Throws: ``DataSourceError`` with `noSuchItem` for either, with `notSupported` where the
  ///   item's source is not ``ItemMoving``, with `differentSources` where the other item is of
  ///   another source, with `sectionIsWorkedOut` where the item would stay in its section; and what
  ///   that source throws.
  public func moveItem(id: ItemID, before other: ItemID) throws {
    try moveItem(id, beside: other, isBehind: false, ifStill: nil)
  }

  /// Moves the item with an identity, in its own source, to the place just before another one, if
  /// it is still what somebody read.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - other: The other item's identity here.
  ///   - expected: What was read, of the type that the item's own source holds.
  /// - Throws: As ``moveItem(id:before:)``; ``DataSourceError`` with `itemChanged`, or, of a store,
  ///   `editConflict`, where the item is another by now; `itemTypeMismatch`, `notComparable`.
  public func moveItem(
    id: ItemID, before other: ItemID, ifStill expected: some Sendable
  ) throws {
    try moveItem(id, beside: other, isBehind: false, ifStill: expected)
  }

  /// Moves the item with an identity, in its own source, to the place just behind another one,
  /// wherever the two are by now.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - other: The other item's identity here.
  /// - Throws: As ``moveItem(id:before:)``.
  public func moveItem(id: ItemID, behind other: ItemID) throws {
    try moveItem(id, beside: other, isBehind: true, ifStill: nil)
  }

  /// Moves the item with an identity, in its own source, to the place just behind another one, if
  /// it is still what somebody read.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - other: The other item's identity here.
  ///   - expected: What was read, of the type that the item's own source holds.
  /// - Throws: As ``moveItem(id:before:ifStill:)``.
  public func moveItem(
    id: ItemID, behind other: ItemID, ifStill expected: some Sendable
  ) throws {
    try moveItem(id, beside: other, isBehind: true, ifStill: expected)
  }

  /// Moves the item with an identity to the end of a section, wherever the item is by now.
  ///
  /// The section may be empty:
  ///
  /// ```swift
  /// try board.moveItem(id: card.id, toSection: .integer(done.id))
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - section: The section's identity here.
  /// - Throws: As ``moveItem(id:before:)``; ``DataSourceError`` with `noSuchSection`.
  public func moveItem(id: ItemID, toSection section: StoredValue) throws {
    try moveItem(id, toSection: section, ifStill: nil)
  }

  /// Moves the item with an identity to the end of a section, if it is still what somebody read.
  ///
  /// - Parameters:
  ///   - id: The item's identity here.
  ///   - section: The section's identity here.
  ///   - expected: What was read, of the type that the item's own source holds.
  /// - Throws: As ``moveItem(id:before:ifStill:)``; ``DataSourceError`` with `noSuchSection`.
  public func moveItem(
    id: ItemID, toSection section: StoredValue, ifStill expected: some Sendable
  ) throws {
    try moveItem(id, toSection: section, ifStill: expected)
  }

  // MARK: - Moving

  private func moveItem(
    _ id: ItemID, beside other: ItemID, isBehind: Bool, ifStill expected: (any Sendable)?
  ) throws {
    let (item, neighbour) = (try existingItem(id), try existingItem(other))
    guard let source = item.source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: item.source)
    }
    guard neighbour.source === item.source else {
      throw DataSourceError.differentSources(item.source, neighbour.source)
    }
    let snapshot = snapshot
    guard let path = snapshot.path(of: id), let beside = snapshot.path(of: other) else {
      throw DataSourceError.noSuchItem(in: self)
    }
    let (origin, goal) = (self.origin(at: path), self.origin(at: beside))
    guard origin.source === source, goal.source === source else {
      throw DataSourceError.noSuchItem(in: source)
    }
    try checkSections(
      from: path, to: beside, of: source, in: source,
      staysInSection: origin.path.section == goal.path.section)
    // Where the items stand the other way round in their source, behind means in front there.
    let isOpposite =
      path.section == beside.section && origin.path.section == goal.path.section
      ? path != beside && (beside > path) != (goal.path > origin.path)
      : isReversed(at: beside, goal)
    try Self.move(
      item, in: source, beside: neighbour.id, isBehind: isBehind != isOpposite, ifStill: expected)
  }

  private func moveItem(
    _ id: ItemID, toSection identity: StoredValue, ifStill expected: (any Sendable)?
  ) throws {
    let item = try existingItem(id)
    let snapshot = snapshot
    guard let section = snapshot.section(withIdentity: identity) else {
      throw DataSourceError.noSuchSection(in: self)
    }
    guard let path = snapshot.path(of: id) else { throw DataSourceError.noSuchItem(in: self) }
    let count = snapshot.numberOfItems(in: section)
    let last = ItemPath(section: section, item: count - 1)
    let neighbour = count > 0 ? itemInSource(snapshot.id(at: last)) : nil
    if let neighbour, neighbour.source === item.source {
      return try moveItem(
        id, beside: snapshot.id(at: last), isBehind: true, ifStill: expected)
    }
    guard let source = item.source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: item.source)
    }
    let origin = origin(at: path)
    guard origin.source === source else { throw DataSourceError.noSuchItem(in: source) }
    // Once the item is taken out.
    let end = path.section == section ? count - 1 : count
    let goal = try goal(for: origin, from: path, to: ItemPath(section: section, item: end))
    try Self.move(item, in: source, to: goal, ifStill: expected)
  }

  private static func move<Source: ItemMoving>(
    _ item: ItemInSource, in source: Source, beside other: any Hashable & Sendable,
    isBehind: Bool, ifStill expected: (any Sendable)?
  ) throws {
    guard let id = item.id as? Source.ItemID, let other = other as? Source.ItemID else {
      throw DataSourceError.noSuchItem(in: source)
    }
    let expected = try expected.map { try cast($0, for: source) }
    if isBehind {
      try source.move(id: id, behind: other, ifStill: expected)
    } else {
      try source.move(id: id, before: other, ifStill: expected)
    }
  }

  private static func move<Source: ItemMoving>(
    _ item: ItemInSource, in source: Source, to goal: ItemGoal, ifStill expected: (any Sendable)?
  ) throws {
    if let taker = goal.source as? any PlaceTaking {
      let name = MovedItem.Name.id(item.id, ifStill: expected)
      return try taker.take(MovedItem(source: source, name: name), to: goal.place)
    }
    guard let id = item.id as? Source.ItemID else {
      throw DataSourceError.noSuchItem(in: source)
    }
    let expected = try expected.map { try cast($0, for: source) }
    try goal.move(from: try source.path(of: id, ifStill: expected), of: source)
  }
}
