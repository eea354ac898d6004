extension Changeset {
  /// The changes as single steps, each of which supposes that the earlier ones were applied.
  ///
  /// For consumers that cannot apply a whole changeset at once. New sections come first, so that
  /// rows can move into them, and deleted ones go when they are empty:
  ///
  /// ```swift
  /// for edit in changeset.sequentialEdits {
  ///   switch edit {
  ///   case .deleteRow(let path, _): list.removeRow(at: path)
  ///   …
  ///   }
  /// }
  /// ```
  ///
  /// - Complexity: O(*c* log *c*) for *c* changes.
  public var sequentialEdits: [SequentialEdit<ItemID, Item>] {
    var sequencer = ChangesetSequencer(self)
    return sequencer.steps()
  }
}

/// Puts a changeset's changes one after another.
private struct ChangesetSequencer<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Edit = SequentialEdit<ItemID, Item>

  let changeset: Changeset<ItemID, Item>
  let positions: ChangesetPositions
  var sections: OccurrenceLine
  /// The rows of each section that is or will be there by its ordinal after, *n*, of one that goes
  /// by its ordinal before, as -1 - *n*.
  var rows: [Int: OccurrenceLine] = [:]

  init(_ changeset: Changeset<ItemID, Item>) {
    self.changeset = changeset
    positions = ChangesetPositions(changeset)
    sections = OccurrenceLine(
      removed: changeset.sectionDeletes.map(\.section) + changeset.sectionMoves.map(\.source),
      inserted: changeset.sectionInserts.map(\.section) + changeset.sectionMoves.map(\.target))
    var removed: [Int: [Int]] = [:]
    var inserted: [Int: [Int]] = [:]
    for path in changeset.deletes.map(\.path) + changeset.moves.map(\.source) {
      removed[key(ofSection: path.section), default: []].append(path.item)
    }
    for change in changeset.inserts {
      inserted[change.path.section, default: []].append(change.path.item)
    }
    for change in changeset.moves {
      inserted[change.target.section, default: []].append(change.target.item)
    }
    for key in Set(removed.keys).union(inserted.keys) {
      rows[key] = OccurrenceLine(
        removed: removed[key, default: []], inserted: inserted[key, default: []])
    }
  }

  private func key(ofSection source: Int) -> Int {
    positions.target(ofSection: source) ?? -1 - source
  }

  mutating func steps() -> [Edit] {
    var edits: [Edit] = []
    for change in changeset.sectionInserts {
      edits.append(.insertSection(at: sections.insert(new: change.section), change))
    }
    for change in changeset.sectionMoves {
      let from = sections.remove(old: change.source)
      edits.append(.moveSection(from: from, to: sections.insert(new: change.target), change))
    }
    for change in changeset.deletes.reversed() {
      edits.append(.deleteRow(at: take(change.path), change))
    }
    for change in changeset.moves {
      let from = take(change.source)
      edits.append(.moveRow(from: from, to: put(change.target), change))
    }
    for change in changeset.inserts {
      edits.append(.insertRow(at: put(change.path), change))
    }
    for change in changeset.sectionDeletes.reversed() {
      edits.append(.deleteSection(at: sections.remove(old: change.section), change))
    }
    edits += changeset.updates.map { .updateRow(at: $0.target, $0) }
    edits += changeset.sectionUpdates.map { .updateSection(at: $0.target, $0) }
    return edits
  }

  private mutating func take(_ path: ItemPath) -> ItemPath {
    let key = key(ofSection: path.section)
    let section = key < 0 ? sections.position(old: path.section) : sections.position(new: key)
    let item = rows[key]?.remove(old: path.item) ?? path.item
    return ItemPath(section: section, item: item)
  }

  private mutating func put(_ path: ItemPath) -> ItemPath {
    let item = rows[path.section]?.insert(new: path.item) ?? path.item
    return ItemPath(section: sections.position(new: path.section), item: item)
  }
}
