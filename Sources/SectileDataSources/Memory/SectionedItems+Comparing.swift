internal import SectileCore

extension SectionedItems {
  /// Returns the difference between nothing and these contents.
  ///
  /// It holds on to the contents, and its rows are looked up when asked for.
  ///
  /// - Complexity: O(1).
  func firstLoad(
    from version: Int, fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> Changeset<ItemID, Item> {
    let items = self
    return Changeset(
      sourceVersion: version, targetVersion: version + 1,
      sectionInserts: ChangeList(count: sectionCount) {
        SectionInsert(section: $0, header: items.index.header(ofSection: $0))
      },
      inserts: ChangeList(count: count) { rank in
        let row = items.row(atRank: rank)
        return ItemInsert(
          path: items.index.path(atRank: rank), id: row.id, payload: .value(row.item),
          after: fingerprint?(row.item))
      })
  }

  /// Returns the difference to other contents, by comparing all of both.
  ///
  /// - Complexity: O(*n* log *n*); O(*n*) where a single section differs in few places that are
  ///   close to each other.
  func changes(
    to other: SectionedItems, from version: Int, isEqual: (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> Changeset<ItemID, Item> {
    if sectionCount == 1, other.sectionCount == 1,
      index.header(ofSection: 0).identity == other.index.header(ofSection: 0).identity
    {
      return changesOfOnlySection(
        to: other, from: version, isEqual: isEqual, fingerprint: fingerprint)
    }
    return withoutActuallyEscaping(isEqual) { isEqual in
      var differ = ContentsDiffer(
        old: contents(version: version), new: other.contents(version: version + 1),
        isEqual: isEqual)
      if let fingerprint {
        differ.oldFingerprint = { _, item in fingerprint(item) }
        differ.newFingerprint = differ.oldFingerprint
      }
      return differ.changeset()
    }
  }

  /// Compares two versions of one section: only what lies between the rows that are the same at the
  /// beginning and at the end.
  private func changesOfOnlySection(
    to other: SectionedItems, from version: Int, isEqual: (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> Changeset<ItemID, Item> {
    let old = rows(inSection: 0)
    let new = other.rows(inSection: 0)
    func isSame(_ left: Row, _ right: Row) -> Bool {
      IdentityKey(left.id) == IdentityKey(right.id) && isEqual(left.item, right.item)
    }
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, isSame(old[start], new[start]) { start += 1 }
    var end = 0
    while end < shorter - start, isSame(old[old.count - 1 - end], new[new.count - 1 - end]) {
      end += 1
    }
    var targets: [IdentityKey<ItemID>: Int] = [:]
    for offset in start..<new.count - end { targets[IdentityKey(new[offset].id)] = offset }
    var survivors: [RowTransition<ItemID, Item>] = []
    var rows: [RowTransition<ItemID, Item>] = []
    for offset in start..<old.count - end {
      let row = old[offset]
      let target = targets.removeValue(forKey: IdentityKey(row.id))
      let now = target.map { new[$0].item }
      let transition = RowTransition<ItemID, Item>(
        id: row.id, source: ItemPath(section: 0, item: offset),
        target: target.map { ItemPath(section: 0, item: $0) },
        isContentChanged: now.map { !isEqual(row.item, $0) } ?? true,
        before: fingerprint?(row.item), after: now.flatMap { fingerprint?($0) },
        payload: now.map { .value($0) })
      if target == nil { rows.append(transition) } else { survivors.append(transition) }
    }
    let movable = Eligibility.movable(
      targets: survivors.map { $0.target?.item ?? 0 }, isEligible: survivors.map(\.isContentChanged)
    )
    rows += survivors.indices.filter { movable[$0] }.map { survivors[$0] }
    for (key, offset) in targets {
      let item = new[offset].item
      rows.append(
        RowTransition(
          id: key.id, source: nil, target: ItemPath(section: 0, item: offset),
          isContentChanged: true,
          after: fingerprint?(item), payload: .value(item)))
    }
    var builder = ChangesetBuilder<ItemID, Item>(
      sourceVersion: version, targetVersion: version + 1, sections: .unchanged)
    builder.retitledSections = [0]
    builder.rows = rows
    return builder.build(
      old: { SectionState(header: index.header(ofSection: $0)) },
      new: { SectionState(header: other.index.header(ofSection: $0)) })
  }
}
