/// Where the rows and sections go that a changeset does not mention, and where they came from.
struct ChangesetPositions {
  private var sections: ListShift
  private var movedTargets: [Int: Int] = [:]
  private var movedSources: [Int: Int] = [:]
  /// The shift inside each surviving section, by its ordinal after.
  private var rows: [Int: ListShift] = [:]

  init<ItemID, Item>(_ changeset: Changeset<ItemID, Item>) {
    sections = ListShift(
      removed: changeset.sectionDeletes.map(\.section) + changeset.sectionMoves.map(\.source),
      inserted: changeset.sectionInserts.map(\.section) + changeset.sectionMoves.map(\.target))
    for move in changeset.sectionMoves {
      movedTargets[move.source] = move.target
      movedSources[move.target] = move.source
    }
    var removed: [Int: [Int]] = [:]
    var inserted: [Int: [Int]] = [:]
    for path in changeset.deletes.map(\.path) + changeset.moves.map(\.source) {
      if let section = target(ofSection: path.section) {
        removed[section, default: []].append(path.item)
      }
    }
    for change in changeset.inserts {
      inserted[change.path.section, default: []].append(change.path.item)
    }
    for change in changeset.moves {
      inserted[change.target.section, default: []].append(change.target.item)
    }
    for section in Set(removed.keys).union(inserted.keys) {
      rows[section] = ListShift(
        removed: removed[section, default: []], inserted: inserted[section, default: []])
    }
  }

  /// Returns the ordinal after of a section, or nil where it is gone.
  func target(ofSection source: Int) -> Int? {
    movedTargets[source] ?? sections.target(of: source)
  }

  /// Returns the ordinal before of a section, or nil where it is new.
  func source(ofSection target: Int) -> Int? {
    movedSources[target] ?? sections.source(of: target)
  }

  /// Returns the path after of a row that did not move, or nil where it is gone.
  func target(of source: ItemPath) -> ItemPath? {
    guard let section = target(ofSection: source.section) else { return nil }
    guard let shift = rows[section] else { return ItemPath(section: section, item: source.item) }
    return shift.target(of: source.item).map { ItemPath(section: section, item: $0) }
  }

  /// Returns the path before of a row that did not move, or nil where it is new.
  func source(of target: ItemPath) -> ItemPath? {
    guard let section = source(ofSection: target.section) else { return nil }
    guard let shift = rows[target.section] else {
      return ItemPath(section: section, item: target.item)
    }
    return shift.source(of: target.item).map { ItemPath(section: section, item: $0) }
  }
}
