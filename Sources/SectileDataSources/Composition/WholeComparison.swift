internal import SectileCore

/// Compares two arrangements row by row: where the changes that lead from one to the other are not
/// known, since nobody listened.
struct WholeComparison<Result: Arrangement> {
  let old: Result
  let new: Result

  /// Returns the difference.
  ///
  /// Items that cannot be compared count as changed.
  ///
  /// - Throws: What reading an item throws.
  /// - Complexity: O(*n* log *n*); reads every item of both.
  func changes() throws -> Changeset<Result.ItemID, Result.Item> {
    let (before, after) = (try Self.contents(of: old), try Self.contents(of: new))
    let differ = ContentsDiffer(
      old: before, new: after, isEqual: Self.areEqual,
      isOrderKeyChanged: { _ in true }, isSectionOrderChanged: { _ in true })
    return differ.changeset()
  }

  private static func contents(
    of result: Result
  ) throws -> SectionedContents<Result.ItemID, Result.Item> {
    try ComposedSnapshot(version: 0, arrangement: result).materialized()
  }

  private static func areEqual(_ left: Result.Item, _ right: Result.Item) -> Bool {
    guard let left = left as? any Equatable else { return false }
    return isEqual(left, right)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    (right as? Value) == left
  }
}

extension Changeset {
  /// Returns the changeset from nothing to an arrangement; it describes rows when they are looked
  /// at.
  static func inserting(_ result: some Arrangement<ItemID, Item>) -> Changeset {
    Changeset(
      sourceVersion: 0, targetVersion: 1,
      sectionInserts: ChangeList(count: result.numberOfSections) {
        SectionInsert(section: $0, header: result.header(ofSection: $0))
      },
      inserts: ChangeList(count: result.numberOfItems) { rank in
        let path = result.path(atRank: rank)
        return ItemInsert(
          path: path, id: result.id(at: path), payload: .deferred { try result.item(at: path) })
      })
  }
}
