extension Changeset {
  /// Returns the one changeset that leads where this one and the next one lead together.
  ///
  /// It is the direct difference, not a list of both: what was inserted and deleted again is not in
  /// it, and a row that is as it was before is not either. No contents are needed.
  ///
  /// Where a changed request put unchanged rows into another order, the result leads to the right
  /// contents, but may call another row the mover than a direct comparison would.
  ///
  /// ```swift
  /// let both = try monday.merging(tuesday)
  /// contents.apply(both)  // the same as applying one after the other
  /// ```
  ///
  /// - Throws: ``ChangesetError`` with `versionMismatch` where `next` does not begin where this one
  ///   ends, and with `inconsistentChanges` where the two cannot follow each other.
  /// - Complexity: O(*c* log *c*) for *c* changes in both.
  public func merging(_ next: Changeset) throws(ChangesetError) -> Changeset {
    guard targetVersion == next.sourceVersion else {
      throw ChangesetError(
        code: .versionMismatch,
        message: "The first changeset leads to version \(targetVersion), the next one leads from "
          + "version \(next.sourceVersion).",
        hint: "Merge changesets in the order in which they were delivered.")
    }
    return try ChangesetMerger(first: self, second: next).merged()
  }
}

/// The composition of two changesets.
///
/// ```text
/// before ──first──▶ between ──second──▶ after
/// ```
///
/// A row that both mention is joined by its identity. A row that only the first mentions was
/// carried on by the second to a path that ``ChangesetPositions`` knows; one that only the second
/// mentions came through the first. What then is changed between *before* and *after* is classified
/// anew.
struct ChangesetMerger<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Transition = RowTransition<ItemID, Item>

  let first: Changeset<ItemID, Item>
  let second: Changeset<ItemID, Item>
  let firstPositions: ChangesetPositions
  let secondPositions: ChangesetPositions

  init(first: Changeset<ItemID, Item>, second: Changeset<ItemID, Item>) {
    self.first = first
    self.second = second
    firstPositions = ChangesetPositions(first)
    secondPositions = ChangesetPositions(second)
  }

  func merged() throws(ChangesetError) -> Changeset<ItemID, Item> {
    let sections = try mergedSections()
    var old: [Int: SectionState] = [:]
    var new: [Int: SectionState] = [:]
    for section in sections {
      if let source = section.source { old[source] = section.before }
      if let target = section.target { new[target] = section.after }
    }
    let correspondence = correspondence(of: sections)
    var builder = ChangesetBuilder<ItemID, Item>(
      sourceVersion: first.sourceVersion, targetVersion: second.targetVersion,
      sections: correspondence)
    builder.retitledSections = sections.filter { $0.target != nil }.compactMap(\.source)
    builder.contentsUpdate = mergedContentsUpdate
    builder.rows = movable(try mergedRows(), correspondence)
    let (before, after) = (old, new)
    return builder.build(
      old: { Self.state(before[$0], at: $0) }, new: { Self.state(after[$0], at: $0) })
  }

  private var mergedContentsUpdate: ContentsUpdate? {
    guard let earlier = first.contentsUpdate, let later = second.contentsUpdate else {
      return first.contentsUpdate ?? second.contentsUpdate
    }
    return ContentsUpdate(from: earlier.before, to: later.after)
  }

  private static func state(_ state: SectionState?, at ordinal: Int) -> SectionState {
    guard let state else {
      preconditionFailure("the merged sections do not contain the one at \(ordinal)")
    }
    return state
  }

  static func inconsistent(_ what: String, about identity: String? = nil) -> ChangesetError {
    ChangesetError(
      code: .inconsistentChanges,
      message: "The changesets cannot follow each other: \(what).",
      hint: "Merge changesets of one source only, in the order in which they were delivered.",
      identity: identity)
  }
}
