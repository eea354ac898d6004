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
  /// - Complexity: O(*n* log *n*).
  func changes(
    to other: SectionedItems, from version: Int, isEqual: (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) -> Changeset<ItemID, Item> {
    withoutActuallyEscaping(isEqual) { isEqual in
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
}
