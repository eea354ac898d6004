/// Changesets that a consumer missed, as one.
///
/// A merge that comes to nothing is kept, and not handed out: it carries the version on, so that
/// the next one continues where the consumer left off.
struct MergedChanges<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Changes = Changeset<ItemID, Item>

  /// What came to nothing so far.
  private var carried: Changes?

  /// Merges changesets that follow each other.
  ///
  /// - Parameter changes: The changesets, in order.
  /// - Returns: One changeset, or none where all came to nothing; more where they cannot follow
  ///   each other, as they are.
  /// - Complexity: O(*c* log *c* log *k*) for *k* changesets of *c* changes in all.
  mutating func merge(_ changes: [Changes]) -> [Changes] {
    let all = (carried.map { [$0] } ?? []) + changes
    carried = nil
    guard !all.isEmpty else { return [] }
    guard let merged = try? Self.merged(all[...]) else { return all.filter { !$0.isEmpty } }
    if merged.isEmpty {
      carried = merged
      return []
    }
    return [merged]
  }

  /// Merges neighbours, then what these came to, so that no change is merged more than log *k*
  /// times.
  private static func merged(_ changes: ArraySlice<Changes>) throws(ChangesetError) -> Changes {
    guard changes.count > 1 else { return changes[changes.startIndex] }
    let middle = changes.startIndex + changes.count / 2
    return try merged(changes[..<middle]).merging(try merged(changes[middle...]))
  }
}
