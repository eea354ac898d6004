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
  /// The version of the contents this changeset applies to.
  public let sourceVersion: Int
  /// The version of the contents that applying it gives.
  ///
  /// Versions have no gaps: the `targetVersion` of one changeset is the `sourceVersion` of the
  /// next.
  public let targetVersion: Int

  /// The sections that are gone, by their ordinal before, ascending.
  public let sectionDeletes: [SectionDelete]
  /// The sections that are new, by their ordinal after, ascending.
  public let sectionInserts: ChangeList<SectionInsert>
  /// The sections whose order changed, ascending by their ordinal before.
  public let sectionMoves: [SectionMove]
  /// The sections whose title or another part of the header changed, ascending by ordinal before.
  public let sectionUpdates: [SectionUpdate]

  /// The rows that are gone, by their path before, ascending.
  public let deletes: [ItemDelete<ItemID>]
  /// The rows that are new, by their path after, ascending.
  public let inserts: ChangeList<ItemInsert<ItemID, Item>>
  /// The rows that changed places, ascending by their path before.
  public let moves: [ItemMove<ItemID, Item>]
  /// The rows that stayed in place and have other contents, ascending by their path before.
  public let updates: [ItemUpdate<ItemID, Item>]

  /// Sections whose place was decided anew, and came out the same.
  ///
  /// They are no events; merging needs them to know which sections may be called movers.
  package let silentSections: [SectionMove]
  /// Rows whose place was decided anew by something outside of them, and came out the same.
  package let silentRows: [ItemUpdate<ItemID, Item>]

  package init(
    sourceVersion: Int, targetVersion: Int,
    sectionDeletes: [SectionDelete] = [], sectionInserts: ChangeList<SectionInsert> = [],
    sectionMoves: [SectionMove] = [], sectionUpdates: [SectionUpdate] = [],
    deletes: [ItemDelete<ItemID>] = [],
    inserts: ChangeList<ItemInsert<ItemID, Item>> = [],
    moves: [ItemMove<ItemID, Item>] = [], updates: [ItemUpdate<ItemID, Item>] = [],
    silentSections: [SectionMove] = [], silentRows: [ItemUpdate<ItemID, Item>] = []
  ) {
    self.sourceVersion = sourceVersion
    self.targetVersion = targetVersion
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
    self.sectionMoves = sectionMoves
    self.sectionUpdates = sectionUpdates
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silentSections = silentSections
    self.silentRows = silentRows
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
