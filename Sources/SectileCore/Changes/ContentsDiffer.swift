/// Compares two whole contents.
package struct ContentsDiffer<ItemID: Hashable & Sendable, Item: Sendable> {
  package var old: SectionedContents<ItemID, Item>
  package var new: SectionedContents<ItemID, Item>
  package var isEqual: (Item, Item) -> Bool
  package var isOrderKeyChanged: (ItemID) -> Bool
  package var isSectionOrderChanged: (StoredValue) -> Bool
  /// Remembers items before and after in the changes, so that changesets can be merged exactly.
  package var oldFingerprint: ((ItemID, Item) -> RowFingerprint)?
  package var newFingerprint: ((ItemID, Item) -> RowFingerprint)?
  /// Remembers what decides the places of old and new sections, for the same reason.
  package var oldSectionOrder: ((StoredValue) -> UInt64)?
  package var newSectionOrder: ((StoredValue) -> UInt64)?

  package init(
    old: SectionedContents<ItemID, Item>, new: SectionedContents<ItemID, Item>,
    isEqual: @escaping (Item, Item) -> Bool,
    isOrderKeyChanged: @escaping (ItemID) -> Bool = { _ in false },
    isSectionOrderChanged: @escaping (StoredValue) -> Bool = { _ in false }
  ) {
    self.old = old
    self.new = new
    self.isEqual = isEqual
    self.isOrderKeyChanged = isOrderKeyChanged
    self.isSectionOrderChanged = isSectionOrderChanged
  }
}

extension ContentsDiffer {
  /// Returns the changeset from the old contents to the new.
  package func changeset() -> Changeset<ItemID, Item> {
    let (sections, common) = correspondence()
    var builder = ChangesetBuilder<ItemID, Item>(
      sourceVersion: old.version, targetVersion: new.version, sections: sections)
    builder.retitledSections = common
    builder.rows = transitions(sections)
    builder.contentsUpdate = ContentsUpdate(from: old.aggregates, to: new.aggregates)
    return builder.build(
      old: { state(of: old.sections[$0].header, oldSectionOrder) },
      new: { state(of: new.sections[$0].header, newSectionOrder) })
  }

  private func state(
    of header: SourceSection, _ order: ((StoredValue) -> UInt64)?
  ) -> SectionState {
    SectionState(header: header, order: order?(header.identity))
  }

  /// Returns which section is which, and the ordinals before of those that are in both.
  private func correspondence() -> (SectionCorrespondence, common: [Int]) {
    let ordinals = Dictionary(
      new.sections.enumerated().map { ($0.element.header.identity, $0.offset) }
    ) { first, _ in first }
    var deleted: [Int] = []
    var survivors: [IndexEdits.SectionShift] = []
    for (source, section) in old.sections.enumerated() {
      if let target = ordinals[section.header.identity] {
        survivors.append(IndexEdits.SectionShift(source: source, target: target))
      } else {
        deleted.append(source)
      }
    }
    let arrived = Set(new.sections.indices).subtracting(survivors.map(\.target))
    let eligible = survivors.map {
      isSectionOrderChanged(old.sections[$0.source].header.identity)
    }
    let movable = Eligibility.movable(targets: survivors.map(\.target), isEligible: eligible)
    let sections = SectionCorrespondence(
      oldCount: old.sections.count, newCount: new.sections.count, deleted: deleted,
      inserted: arrived.sorted(),
      eligible: survivors.indices.filter { movable[$0] }.map { survivors[$0] })
    return (sections, survivors.map(\.source))
  }

  /// Returns the rows that differ, and those that may move.
  private func transitions(
    _ sections: SectionCorrespondence
  ) -> [RowTransition<ItemID, Item>] {
    var targets: [IdentityKey<ItemID>: ItemPath] = [:]
    for (section, contents) in new.sections.enumerated() {
      for (item, row) in contents.rows.enumerated() {
        targets[IdentityKey(row.id)] = ItemPath(section: section, item: item)
      }
    }
    var rows: [RowTransition<ItemID, Item>] = []
    for (section, contents) in old.sections.enumerated() {
      var survivors: [RowTransition<ItemID, Item>] = []
      for (item, row) in contents.rows.enumerated() {
        let source = ItemPath(section: section, item: item)
        let transition = transition(
          of: row, source, targets.removeValue(forKey: IdentityKey(row.id)))
        if let target = transition.target, sections.target(of: section) == target.section {
          survivors.append(transition)
        } else {
          rows.append(transition)
        }
      }
      let movable = Eligibility.movable(
        targets: survivors.map { $0.target?.item ?? 0 },
        isEligible: survivors.map { $0.isContentChanged || isOrderKeyChanged($0.id) })
      rows += survivors.indices.filter { movable[$0] }.map { survivors[$0] }
    }
    for (key, target) in targets {
      let item = new[target].item
      rows.append(
        RowTransition(
          id: key.id, source: nil, target: target, isContentChanged: true,
          after: newFingerprint?(key.id, item), payload: .value(item)))
    }
    return rows
  }

  private func transition(
    of row: SectionedContents<ItemID, Item>.Row, _ source: ItemPath, _ target: ItemPath?
  ) -> RowTransition<ItemID, Item> {
    var transition = RowTransition<ItemID, Item>(
      id: row.id, source: source, target: target, isContentChanged: false,
      before: oldFingerprint?(row.id, row.item))
    if let target {
      let item = new[target].item
      transition.isContentChanged = !isEqual(row.item, item)
      transition.after = newFingerprint?(row.id, item)
      transition.payload = .value(item)
    }
    return transition
  }
}
