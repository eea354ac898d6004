extension DataSourceSnapshot {
  /// Returns how this version differs from an earlier one of the same source.
  ///
  /// Items are compared with `==` where they can be; otherwise each row that is in both versions is
  /// reported as updated.
  ///
  /// ```swift
  /// let yesterday = results.snapshot
  /// …
  /// let changes = results.snapshot.changes(since: yesterday)
  /// ```
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows in both, each of which is read from both.
  public func changes(since earlier: Self) -> Changeset<ItemID, Item> {
    changes(since: earlier) { isSameItem(at: $1, asAt: $0, in: earlier) }
  }

  /// Returns how this version differs from an earlier one.
  ///
  /// - Parameters:
  ///   - earlier: The earlier version.
  ///   - isUnchanged: Returns whether a row is what it was, by its paths before and after.
  /// - Returns: The difference, by identity.
  package func changes(
    since earlier: Self, isUnchanged: @escaping (_ before: ItemPath, _ after: ItemPath) -> Bool
  ) -> Changeset<ItemID, Item> {
    // Rows are known by their places alone, so that none is read that is not asked for.
    let differ = ContentsDiffer<ItemID, ItemPath>(
      old: earlier.places, new: places, isEqual: isUnchanged)
    let changes = differ.changeset()
    let read = { (path: ItemPath) in ItemPayload<Item>.deferred { try self.item(at: path) } }
    return Changeset(
      sourceVersion: changes.sourceVersion, targetVersion: changes.targetVersion,
      contentsUpdate: changes.contentsUpdate,
      sectionDeletes: Array(changes.sectionDeletes), sectionInserts: changes.sectionInserts,
      sectionMoves: Array(changes.sectionMoves), sectionUpdates: Array(changes.sectionUpdates),
      deletes: Array(changes.deletes),
      inserts: ChangeList(
        changes.inserts.map { ItemInsert(path: $0.path, id: $0.id, payload: read($0.path)) }),
      moves: changes.moves.map {
        ItemMove(
          source: $0.source, target: $0.target, id: $0.id, isContentChanged: $0.isContentChanged,
          payload: read($0.target))
      },
      updates: changes.updates.map {
        ItemUpdate(source: $0.source, target: $0.target, id: $0.id, payload: read($0.target))
      })
  }

  /// Returns whether an item can be read in both versions, and is the same.
  package func isSameItem(at path: ItemPath, asAt former: ItemPath, in earlier: Self) -> Bool {
    guard Item.self is any Equatable.Type, let before = try? earlier.item(at: former),
      let after = try? item(at: path)
    else { return false }
    return areEqual(before, after)
  }

  /// The contents, with each row's path as its item.
  private var places: SectionedContents<ItemID, ItemPath> {
    var places = SectionedContents<ItemID, ItemPath>(version: version, aggregates: aggregates)
    for (section, header) in sections.enumerated() {
      let rows = (0..<numberOfItems(in: section)).map { offset in
        let path = ItemPath(section: section, item: offset)
        return SectionedContents<ItemID, ItemPath>.Row(id: id(at: path), item: path)
      }
      places.sections.append(.init(header: header, rows: rows))
    }
    return places
  }
}

/// Returns whether two values can be compared, and are equal.
private func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
  guard let left = left as? any Equatable else { return false }
  return isEqual(left, right)
}

private func isEqual<Left: Equatable>(_ left: Left, _ right: Any) -> Bool {
  left == right as? Left
}
