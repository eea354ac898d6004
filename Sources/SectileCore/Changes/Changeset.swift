/// The exact difference between two consecutive versions of a source's contents.
///
/// Deletes, and the *from* of a move or update, are paths in the contents **before** the change.
/// Inserts, and the *to* of a move or update, are paths in the contents **after** it. Apply deletes
/// in descending order, then inserts in ascending order.
///
/// What only shifts because of others is not reported, and a row appears at most once. Applying a
/// changeset to the contents before gives the contents after, row by row, value by value.
///
/// ```swift
/// func dataSource(_ source: Source, didPartiallyLoad changes: Changeset<Int64, Package>) {
///   for deletion in changes.deletes { list.remove(at: deletion.path) }
///   …
/// }
/// ```
public struct Changeset<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What all copies share: a changeset passes through many hands.
  private let storage: DeliveredChanges<ItemID, Item>

  /// Opens a box.
  init(_ storage: DeliveredChanges<ItemID, Item>) { self.storage = storage }

  /// The changeset in its box, whether or not it is empty.
  var boxed: DeliveredChanges<ItemID, Item> { storage }

  /// The version of the contents this changeset applies to.
  public var sourceVersion: Int { storage.sourceVersion }
  /// The version of the contents that applying it gives.
  ///
  /// Versions have no gaps: the `targetVersion` of one changeset is the `sourceVersion` of the
  /// next.
  public var targetVersion: Int { storage.targetVersion }

  /// The sections that are gone, by their ordinal before, ascending.
  public var sectionDeletes: [SectionDelete] { storage.sections.deletes }
  /// The sections that are new, by their ordinal after, ascending.
  public var sectionInserts: ChangeList<SectionInsert> { storage.sections.inserts }
  /// The sections whose order changed, ascending by their ordinal before.
  public var sectionMoves: [SectionMove] { storage.sections.moves }
  /// The sections whose title or another part of the header changed, ascending by ordinal before.
  public var sectionUpdates: [SectionUpdate] { storage.sections.updates }

  /// The rows that are gone, by their path before, ascending.
  public var deletes: [ItemDelete<ItemID>] { storage.deletes }
  /// The rows that are new, by their path after, ascending.
  public var inserts: ChangeList<ItemInsert<ItemID, Item>> { storage.inserts }
  /// The rows that changed places, ascending by their path before.
  public var moves: [ItemMove<ItemID, Item>] { storage.moves }
  /// The rows that stayed in place and have other contents, ascending by their path before.
  public var updates: [ItemUpdate<ItemID, Item>] { storage.updates }

  /// Sections whose place was decided anew, and came out the same.
  ///
  /// They are no events; merging needs them to know which sections may be called movers.
  package var silentSections: [SectionMove] { storage.sections.silent }
  /// Rows whose place was decided anew by something outside of them, and came out the same.
  package var silentRows: [ItemUpdate<ItemID, Item>] { storage.silentRows }

  package init(
    sourceVersion: Int, targetVersion: Int,
    sectionDeletes: [SectionDelete] = [], sectionInserts: ChangeList<SectionInsert> = [],
    sectionMoves: [SectionMove] = [], sectionUpdates: [SectionUpdate] = [],
    deletes: [ItemDelete<ItemID>] = [],
    inserts: ChangeList<ItemInsert<ItemID, Item>> = [],
    moves: [ItemMove<ItemID, Item>] = [], updates: [ItemUpdate<ItemID, Item>] = [],
    silentSections: [SectionMove] = [], silentRows: [ItemUpdate<ItemID, Item>] = []
  ) {
    storage = DeliveredChanges(
      sourceVersion: sourceVersion, targetVersion: targetVersion,
      sections: SectionLists(
        deletes: sectionDeletes, inserts: sectionInserts, moves: sectionMoves,
        updates: sectionUpdates, silent: silentSections),
      deletes: deletes, inserts: inserts, moves: moves, updates: updates, silentRows: silentRows)
  }

  /// Whether nothing changed.
  ///
  /// Sources never deliver such a changeset.
  public var isEmpty: Bool {
    sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty
      && sectionUpdates.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
      && updates.isEmpty
  }
}
