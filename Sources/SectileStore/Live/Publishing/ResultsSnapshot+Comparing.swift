public import SectileCore

extension ResultsSnapshot {
  /// Returns how this version differs from an earlier one of the same results.
  ///
  /// Only rows that were written in between are compared, as long as that is known: rows of others
  /// are told by their digests, and where neither is known each row that is in both versions is
  /// reported as updated.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows in both; rows that were written in between are read,
  ///   if items can be compared.
  public func changes(since earlier: ResultsSnapshot) -> Changeset<ItemID, Item> {
    let touched = earlier.node.rowsTouched(upTo: node)
    let digests = earlier.contents.content.flatMap { old in contents.content.map { (old, $0) } }
    return changes(since: earlier) { before, after in
      if let (old, new) = digests {
        let former = old[earlier.contents.index.handle(at: before)]
        let latter = new[contents.index.handle(at: after)]
        if former != RowDigest.unknown, latter != RowDigest.unknown { return former == latter }
      }
      guard let touched else { return false }
      return !touched.contains(contents.key(at: after))
        || isSameItem(at: after, asAt: before, in: earlier)
    }
  }
}
