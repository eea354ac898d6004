internal import GRDB
package import SectileCore

// Rows go next to rows, and into sections, that no path leads to: by their keys, into sections that
// have no rows, and from results to results of the same table.

extension SectionedResults {
  /// Moves the row with a key to the place just before another one, wherever the results show the
  /// two by now.
  ///
  /// ```swift
  /// try results.move(id: song.id, before: other.id, ifStill: song)   // only what was read
  /// ```
  ///
  /// The row is compared in the transaction that moves it, by what would be written for the two
  /// items; the other one is looked up there. The column that the request is `reorderable(by:)` is
  /// not compared: rows around a place where no number is free get new ones, and are still what was
  /// read.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - other: The key of the other row.
  ///   - expected: What was read; nil for whatever the row is.
  /// - Throws: `DataSourceError` with the code `noSuchItem` where the results do not show one of
  ///   the rows; a ``StoreError``: `editConflict` where the row is not what was read, or is gone,
  ///   and where the other one is gone, or in another section by now; else as ``move(from:to:)``.
  /// - Complexity: As ``insert(_:at:)``.
  public func move(id: Item.ID, before other: Item.ID, ifStill expected: Item?) throws {
    try move(id, beside: other, isBehind: false, ifStill: expected)
  }

  /// Moves the row with a key to the place just behind another one, wherever the results show the
  /// two by now.
  ///
  /// See ``move(id:before:ifStill:)`` for more information.
  public func move(id: Item.ID, behind other: Item.ID, ifStill expected: Item?) throws {
    try move(id, beside: other, isBehind: true, ifStill: expected)
  }

  private func move(
    _ id: Item.ID, beside other: Item.ID, isBehind: Bool, ifStill expected: Item?
  ) throws {
    let edit = try ResultsEdit(of: self)
    let (key, neighbour) = (try edit.key(of: id, in: self), try edit.key(of: other, in: self))
    guard let path = edit.contents.path(of: key), let beside = edit.contents.path(of: neighbour)
    else { throw DataSourceError.noSuchItem(in: self) }
    let place = try RowPlace(beside: beside, isBehind: isBehind, of: key, in: edit)
    let isThere =
      key == neighbour
      || (path.section == beside.section && path.item == beside.item + (isBehind ? 1 : -1))
    try edit.write(.moving, key, ifStill: expected) { transaction, table in
      if !isThere { try edit.move(key, to: place, table, in: transaction) }
    }
  }
}

extension SectionedResults: PlaceTaking {
  /// Returns whether rows of results can move to a place: those of the same table, and into a
  /// section without rows where sections are a column.
  package func canTake(from source: any DataSource, to place: ItemGoal.Place) -> Bool {
    guard let other = source as? SectionedResults<Item> else { return false }
    let (plan, otherPlan) = (tracker.plan, other.tracker.plan)
    guard other.writer.commits === writer.commits, let table = plan.storedTable,
      otherPlan.storedTable == table, otherPlan.keyColumns == plan.keyColumns
    else { return false }
    switch place {
    case .emptySection: return plan.writtenSectionColumn != nil
    case .path: return other === self || plan.section == nil || plan.writtenSectionColumn != nil
    }
  }

  /// Moves a row of results of the same table to a place of these, in one transaction.
  ///
  /// - Throws: As ``move(from:to:)``; `notEditable` where the row would not be shown there.
  package func take(_ item: MovedItem, to place: ItemGoal.Place) throws {
    guard canTake(from: item.source, to: place),
      let other = item.source as? SectionedResults<Item>
    else { throw DataSourceError.differentSources(item.source, self) }
    let edit = try ResultsEdit(of: self)
    let isOwn = other === self
    let source = isOwn ? edit : try ResultsEdit(of: other)
    let key: RowKey
    switch item.name {
    case .path(let path): key = try source.key(at: path)
    case .id(let id, ifStill: _):
      guard let own = id as? Item.ID else { throw DataSourceError.noSuchItem(in: other) }
      key = try source.key(of: own, in: other)
    }
    let target = try self.place(place, for: key, isOwn: isOwn, by: edit)
    var section: StoredValue?
    if case .emptySection(let identity) = place { section = identity }
    func body(_ transaction: StoreTransaction, _ table: TableSchema) throws {
      // Of the two requests, the one that is moved to may have no order that can be written.
      try EditingRules(plan: edit.plan, isReadOnly: editing.isReadOnly)
        .check(.moving, in: transaction.db)
      try edit.take(key, to: target, isOwn: isOwn, in: section, table, in: transaction)
    }
    switch item.name {
    case .path(let path): try source.write(.moving, unchanged: [path], body)
    case .id(_, ifStill: let given):
      let expected = try given.map { try Self.cast($0, for: other) }
      try source.write(.moving, key, ifStill: expected, body)
    }
  }

  /// Inserts a row into a section without rows.
  ///
  /// - Throws: As ``insert(_:at:)``; `notEditable` where the row is in another section, since
  ///   sections are worked out.
  package func insert(_ item: Item, intoEmptySection identity: StoredValue) throws {
    try insert(
      item, at: RowPlace(endOf: identity, of: nil), in: identity, by: try ResultsEdit(of: self))
  }

  private func place(
    _ place: ItemGoal.Place, for key: RowKey, isOwn: Bool, by edit: ResultsEdit<Item>
  ) throws -> RowPlace {
    switch place {
    case .emptySection(let identity): return RowPlace(endOf: identity, of: key)
    case .path(let path):
      let source = isOwn ? edit.contents.path(of: key) : nil
      let found = try RowPlace(path, in: edit, of: source)
      if isOwn { return found }
      guard edit.plan.section == nil || found.section != nil else {
        // Of results without sections yet nobody knows which one is meant.
        throw DataSourceError.noSuchSection(in: self)
      }
      return RowPlace(found, for: key, isOtherSection: edit.plan.section != nil)
    }
  }
}
