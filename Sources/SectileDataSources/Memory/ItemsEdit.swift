internal import SectileCore

/// Changes of ``SectionedItems`` that remember what they touch, so that the difference costs what
/// was changed and not what is there.
struct ItemsEdit<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Items = SectionedItems<ItemID, Item>
  typealias Row = Items.Row

  /// The contents before.
  let before: Items
  /// The contents as they are now.
  private(set) var items: Items
  /// The rows that were inserted, removed, moved or replaced.
  private var touchedRows: Set<IdentityKey<ItemID>> = []
  /// The sections that were inserted, removed, moved or given another header.
  private var touchedSections: Set<StoredValue> = []
  private var movedSections: Set<StoredValue> = []
  /// Everything may be different.
  private var isReplaced = false

  init(_ items: Items) {
    before = items
    self.items = items
  }

  /// Whether nothing was touched.
  var isUntouched: Bool {
    !isReplaced && touchedRows.isEmpty && touchedSections.isEmpty
  }

  // MARK: - Changing

  /// Replaces everything.
  mutating func replaceAll(with items: Items) {
    self.items = items
    isReplaced = true
  }

  /// Inserts a row.
  ///
  /// See ``SectionedItems/insert(_:at:position:)``.
  mutating func insert(
    _ row: Row, at path: ItemPath, position: Int? = nil
  ) throws(DataSourceError) {
    try items.insert(row, at: path, position: position)
    touchedRows.insert(IdentityKey(row.id))
  }

  /// Removes and returns the row at a path.
  @discardableResult
  mutating func removeRow(at path: ItemPath) -> Row {
    let row = items.removeRow(at: path)
    touchedRows.insert(IdentityKey(row.id))
    return row
  }

  /// Replaces the item at a path by another one of the same identity.
  mutating func setItem(_ item: Item, at path: ItemPath) {
    touchedRows.insert(IdentityKey(items.row(at: path).id))
    items.setItem(item, at: path)
  }

  /// Inserts a section without rows.
  mutating func insertSection(_ header: SourceSection, at ordinal: Int) {
    items.insertSection(header, at: ordinal)
    touchedSections.insert(header.identity)
    // If it was there before, it stands where it was put, as a section that was moved.
    movedSections.insert(header.identity)
  }

  /// Removes a section that has no rows.
  mutating func removeSection(at ordinal: Int) {
    touchedSections.insert(items.index.header(ofSection: ordinal).identity)
    items.removeSection(at: ordinal)
  }

  /// Moves a section to where it is once it was taken out.
  mutating func moveSection(from source: Int, to target: Int) {
    guard source != target else { return }
    let identity = items.index.header(ofSection: source).identity
    touchedSections.insert(identity)
    movedSections.insert(identity)
    items.moveSection(from: source, to: target)
  }

  /// Replaces a section's header by another one of the same identity.
  mutating func setHeader(_ header: SourceSection, ofSection ordinal: Int) {
    guard items.index.header(ofSection: ordinal) != header else { return }
    touchedSections.insert(header.identity)
    items.setHeader(header, ofSection: ordinal)
  }

  // MARK: - The difference

  /// Returns the difference to the contents before.
  ///
  /// - Complexity: O(*c* log *n*) for *c* touched rows and sections; O(*n* log *n*) where
  ///   everything was replaced, O(1) where there was nothing before.
  func changes(
    from version: Int, isEqual: (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> Changeset<ItemID, Item> {
    if before.isEmpty { return items.firstLoad(from: version, fingerprint: fingerprint) }
    if isReplaced {
      return before.changes(
        to: items, from: version, isEqual: isEqual, fingerprint: fingerprint)
    }
    let (sections, common) = correspondence()
    var builder = ChangesetBuilder<ItemID, Item>(
      sourceVersion: version, targetVersion: version + 1, sections: sections)
    builder.retitledSections = common
    builder.rows = touchedRows.compactMap { transition(of: $0.id, isEqual, fingerprint) }
    return builder.build(
      old: { SectionState(header: before.index.header(ofSection: $0)) },
      new: { SectionState(header: items.index.header(ofSection: $0)) })
  }

  private func correspondence() -> (SectionCorrespondence, common: [Int]) {
    var deleted: [Int] = []
    var inserted: [Int] = []
    var moved: [IndexEdits.SectionShift] = []
    var common: [Int] = []
    for identity in touchedSections {
      let source = before.index.sectionOrdinal(of: identity)
      let target = items.index.sectionOrdinal(of: identity)
      switch (source, target) {
      case (let source?, let target?):
        common.append(source)
        if movedSections.contains(identity) {
          moved.append(IndexEdits.SectionShift(source: source, target: target))
        }
      case (let source?, nil): deleted.append(source)
      case (nil, let target?): inserted.append(target)
      case (nil, nil): break
      }
    }
    let sections = SectionCorrespondence(
      oldCount: before.sectionCount, newCount: items.sectionCount, deleted: deleted,
      inserted: inserted, eligible: moved)
    return (sections, common)
  }

  private func transition(
    of id: ItemID, _ isEqual: (Item, Item) -> Bool,
    _ fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> RowTransition<ItemID, Item>? {
    let (old, new) = (before.item(of: id), items.item(of: id))
    if old == nil, new == nil { return nil }
    var isContentChanged = true
    if let old, let new { isContentChanged = !isEqual(old, new) }
    return RowTransition(
      id: id, source: before.path(of: id), target: items.path(of: id),
      isContentChanged: isContentChanged,
      before: old.flatMap { fingerprint?($0) }, after: new.flatMap { fingerprint?($0) },
      payload: new.map { .value($0) })
  }
}
