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
  @usableFromInline let storage: DeliveredChanges<ItemID, Item>

  /// Opens a box.
  init(_ storage: DeliveredChanges<ItemID, Item>) { self.storage = storage }

  /// The changeset in its box; nil where there is nothing to deliver.
  package var boxed: DeliveredChanges<ItemID, Item>? { isEmpty ? nil : storage }

  /// The version of the contents this changeset applies to.
  public var sourceVersion: Int { storage.sourceVersion }
  /// The version of the contents that applying it gives.
  ///
  /// Versions have no gaps: the `targetVersion` of one changeset is the `sourceVersion` of the
  /// next.
  public var targetVersion: Int { storage.targetVersion }

  /// The sections that are gone, by their ordinal before, ascending.
  public var sectionDeletes: ChangeList<SectionDelete> { ChangeList(sections.deletes) }
  /// The sections that are new, by their ordinal after, ascending.
  public var sectionInserts: ChangeList<SectionInsert> { sections.inserts }
  /// The sections whose order changed, ascending by their ordinal before.
  public var sectionMoves: ChangeList<SectionMove> { ChangeList(sections.moves) }
  /// What changed of the contents as a whole; nil where their aggregates are as before, and where
  /// there are none.
  public var contentsUpdate: ContentsUpdate? { sections.contents }
  /// The sections whose title or another part of the header changed, ascending by ordinal before.
  public var sectionUpdates: ChangeList<SectionUpdate> { ChangeList(sections.updates) }

  /// The rows that are gone, by their path before, ascending.
  @inlinable public var deletes: ChangeList<ItemDelete<ItemID>> {
    storage.lists.map { ChangeList($0.deletes) } ?? []
  }
  /// The rows that are new, by their path after, ascending.
  @inlinable public var inserts: ChangeList<ItemInsert<ItemID, Item>> {
    storage.lists?.inserts ?? []
  }
  /// The rows that changed places, ascending by their path before.
  @inlinable public var moves: ChangeList<ItemMove<ItemID, Item>> {
    if let row = storage.row { return ChangeList(count: row.isMove ? 1 : 0) { _ in row.move } }
    return storage.lists.map { ChangeList($0.moves) } ?? []
  }
  /// The rows that stayed in place and have other contents, ascending by their path before.
  @inlinable public var updates: ChangeList<ItemUpdate<ItemID, Item>> {
    if let row = storage.row { return ChangeList(count: row.isMove ? 0 : 1) { _ in row.update } }
    return storage.lists.map { ChangeList($0.updates) } ?? []
  }

  /// Sections whose place was decided anew, and came out the same.
  ///
  /// They are no events; merging needs them to know which sections may be called movers.
  package var silentSections: [SectionMove] { sections.silent }
  /// Rows whose place was decided anew by something outside of them, and came out the same.
  package var silentRows: [ItemUpdate<ItemID, Item>] { storage.lists?.silentRows ?? [] }

  private var sections: SectionLists { storage.lists?.sections ?? .none }

  package init(
    sourceVersion: Int, targetVersion: Int, contentsUpdate: ContentsUpdate? = nil,
    sectionDeletes: [SectionDelete] = [], sectionInserts: ChangeList<SectionInsert> = [],
    sectionMoves: [SectionMove] = [], sectionUpdates: [SectionUpdate] = [],
    deletes: [ItemDelete<ItemID>] = [],
    inserts: ChangeList<ItemInsert<ItemID, Item>> = [],
    moves: [ItemMove<ItemID, Item>] = [], updates: [ItemUpdate<ItemID, Item>] = [],
    silentSections: [SectionMove] = [], silentRows: [ItemUpdate<ItemID, Item>] = []
  ) {
    storage = DeliveredLists(
      sourceVersion: sourceVersion, targetVersion: targetVersion,
      sections: SectionLists(
        deletes: sectionDeletes, inserts: sectionInserts, moves: sectionMoves,
        updates: sectionUpdates, silent: silentSections, contents: contentsUpdate),
      deletes: deletes, inserts: inserts, moves: moves, updates: updates, silentRows: silentRows)
  }

  /// How many rows it holds, those left out that are read when looked at.
  var heldRowCount: Int {
    guard let lists = storage.lists else { return 1 }
    return lists.deletes.count + lists.inserts.heldCount + lists.moves.count + lists.updates.count
  }

  /// Whether nothing changed.
  ///
  /// Sources never deliver such a changeset.
  public var isEmpty: Bool {
    sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty
      && sectionUpdates.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
      && updates.isEmpty && contentsUpdate == nil
  }
}
