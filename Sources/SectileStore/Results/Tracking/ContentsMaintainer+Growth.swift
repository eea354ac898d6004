import SectileCore

extension ContentsMaintainer {
  /// Returns the change from a first batch to everything, or from nothing to a first batch, without
  /// writing down a row: inserts are looked up in the new contents when somebody walks them.
  ///
  /// - Parameters:
  ///   - after: The contents after.
  ///   - items: Items that were read anyway.
  /// - Returns: The change, or nil where the rows that were there are not the beginning of those that
  ///   are there now.
  /// - Throws: Where a key does not fit the type of the identity.
  func growth(
    to after: PlanContents, items: [RowKey: Item?]
  ) throws -> PreparedChange<Item>? {
    guard after.count >= base.count, isPrefix(of: after) else { return nil }
    let snapshot = makeSnapshot(after, baseVersion + 1, node)
    let known = base.count
    let knownSections = base.index.sectionCount
    let changes = Changeset<Item.ID, Item>(
      sourceVersion: baseVersion, targetVersion: baseVersion + 1,
      sectionInserts: ChangeList(count: after.index.sectionCount - knownSections) { offset in
        let ordinal = knownSections + offset
        let section = after.section(ordinal)
        return SectionInsert(section: ordinal, header: section.header, order: section.order)
      },
      inserts: ChangeList(count: after.count - known) { offset in
        let path = after.index.path(atRank: known + offset)
        return ItemInsert(
          path: path, id: snapshot.id(at: path), payload: .deferred { try snapshot.item(at: path) },
          after: after.fingerprint(of: after.index.handle(at: path)))
      })
    return changes.isEmpty && base.count == after.count
      ? nil : finish(.replaced(after), changes, items: items)
  }

  private func isPrefix(of after: PlanContents) -> Bool {
    for section in 0..<base.index.sectionCount {
      guard section < after.index.sectionCount, base.section(section) == after.section(section)
      else { return false }
    }
    for rank in 0..<base.count {
      let handle = base.index.handle(atRank: rank)
      guard after.index.handle(atRank: rank) == handle,
        after.index.path(atRank: rank) == base.index.path(atRank: rank),
        after.fingerprint(of: handle) == base.fingerprint(of: handle)
      else { return false }
    }
    return true
  }
}
