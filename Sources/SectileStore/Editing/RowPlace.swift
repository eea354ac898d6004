import SectileCore

/// A place in the contents of results, told by the rows beside it.
struct RowPlace {
  /// The rows that say where the place is, the one that counts first; the others where it is gone.
  let anchors: [Anchor]
  /// The section; nil where there is none yet.
  let section: StoredValue?
  /// Whether the row comes from another section.
  let isOtherSection: Bool
  /// Whether others may have put the row into another section meanwhile, so that its own is written
  /// where it can be.
  private(set) var mayBeElsewhere = false
  /// The row that moves there; nil for a new one.
  let moved: RowKey?

  /// A row beside the place.
  struct Anchor {
    let key: RowKey
    /// Whether the place is behind it in the list.
    let isBefore: Bool
  }

  /// The end of a section that has no rows yet, or that others have put some into meanwhile.
  init(endOf section: StoredValue, of moved: RowKey?) {
    anchors = []
    self.section = section
    isOtherSection = moved != nil
    self.moved = moved
  }

  /// The place beside a row.
  ///
  /// - Parameters:
  ///   - path: Where that row is.
  ///   - isBehind: Whether the place is behind it in the list.
  ///   - moved: The row that moves there, wherever it is.
  ///   - edit: The contents.
  /// - Throws: `DataSourceError` with the code `noSuchPath`.
  init<Item>(
    beside path: ItemPath, isBehind: Bool, of moved: RowKey, in edit: ResultsEdit<Item>
  ) throws(DataSourceError) {
    anchors = [Anchor(key: try edit.key(at: path), isBefore: isBehind)]
    section = edit.contents.index.header(ofSection: path.section).identity
    isOtherSection = edit.contents.path(of: moved)?.section != path.section
    mayBeElsewhere = true
    self.moved = moved
  }

  /// The same place, for a row that comes from elsewhere.
  init(_ other: RowPlace, for moved: RowKey, isOtherSection: Bool) {
    anchors = other.anchors
    section = other.section
    self.isOtherSection = isOtherSection
    self.moved = moved
  }

  /// Finds the place that a path points to.
  ///
  /// - Parameters:
  ///   - target: The path, of the contents without the row that moves.
  ///   - edit: The contents.
  ///   - source: Where the row is that moves; nil for a new one.
  /// - Throws: `DataSourceError` with the code `noSuchPath`.
  init<Item>(
    _ target: ItemPath, in edit: ResultsEdit<Item>, of source: ItemPath?
  ) throws(DataSourceError) {
    let index = edit.contents.index
    if let source {
      moved = try edit.key(at: source)
    } else {
      moved = nil
    }
    if source == nil, index.sectionCount == 0, target == ItemPath(section: 0, item: 0) {
      (anchors, section, isOtherSection) = ([], nil, false)
      return
    }
    guard target.section >= 0, target.section < index.sectionCount else {
      throw .noSuchPath(target)
    }
    let isSameSection = source?.section == target.section
    let count = index.count(inSection: target.section) - (isSameSection ? 1 : 0)
    guard target.item >= 0, target.item <= count else { throw .noSuchPath(target) }
    func anchor(_ item: Int, isBefore: Bool) -> Anchor? {
      guard item >= 0, item < count else { return nil }
      let isShifted = source.map { isSameSection && item >= $0.item } ?? false
      let path = ItemPath(section: target.section, item: isShifted ? item + 1 : item)
      return Anchor(key: edit.contents.key(at: path), isBefore: isBefore)
    }
    let before = anchor(target.item - 1, isBefore: true)
    let after = anchor(target.item, isBefore: false)
    // As lists of other sources do: what goes down follows the one before it.
    let isDownward = source.map { isSameSection && target.item > $0.item } ?? false
    anchors = (isDownward ? [before, after] : [after, before]).compactMap { $0 }
    section = index.header(ofSection: target.section).identity
    isOtherSection = source != nil && !isSameSection
  }
}
