internal import SectileCore

/// Puts a changeset into other terms, where the composition keeps what moved and what stayed: rows
/// keep their order, or all of them are in the opposite one.
struct ChangesetTranslation<InputID, InputItem, ItemID, Item>: Sendable
where InputID: Hashable & Sendable, InputItem: Sendable, ItemID: Hashable & Sendable, Item: Sendable
{
  /// Where a section or path of the input before is in the composition before; and the same after.
  var sectionBefore: @Sendable (Int) -> Int = { $0 }
  var sectionAfter: @Sendable (Int) -> Int = { $0 }
  var pathBefore: @Sendable (ItemPath) -> ItemPath = { $0 }
  var pathAfter: @Sendable (ItemPath) -> ItemPath = { $0 }
  /// What the header of a section of the input before becomes; and the same after.
  var headerBefore: @Sendable (SourceSection, _ section: Int) -> SourceSection = { header, _ in
    header
  }
  var headerAfter: @Sendable (SourceSection, _ section: Int) -> SourceSection = { header, _ in
    header
  }
  /// Updates of sections that only the composition has; in its terms.
  var ownUpdates: [SectionUpdate] = []
  let id: @Sendable (InputID) -> ItemID
  let payload: @Sendable (ItemPayload<InputItem>) -> ItemPayload<Item>
  /// Whether what ascends in the input ascends in the composition.
  var keepsOrder = true

  func callAsFunction(_ changes: Changeset<InputID, InputItem>) -> Changeset<ItemID, Item> {
    let inserts = ChangeList(count: changes.inserts.count) { insert(changes.inserts[$0]) }
    let sectionInserts = ChangeList(count: changes.sectionInserts.count) {
      insert(changes.sectionInserts[$0])
    }
    return Changeset(
      sourceVersion: changes.sourceVersion, targetVersion: changes.targetVersion,
      sectionDeletes: ordered(
        changes.sectionDeletes.map {
          SectionDelete(
            section: sectionBefore($0.section), header: headerBefore($0.header, $0.section),
            order: $0.order)
        }
      ) { $0.section < $1.section },
      sectionInserts: keepsOrder
        ? sectionInserts : ChangeList(sectionInserts.sorted { $0.section < $1.section }),
      sectionMoves: ordered(changes.sectionMoves.map(move)) { $0.source < $1.source },
      sectionUpdates: updates(changes.sectionUpdates),
      deletes: ordered(
        changes.deletes.map {
          ItemDelete(path: pathBefore($0.path), id: id($0.id), before: $0.before)
        }
      ) { $0.path < $1.path },
      inserts: keepsOrder ? inserts : ChangeList(inserts.sorted { $0.path < $1.path }),
      moves: ordered(changes.moves.map(move)) { $0.source < $1.source },
      updates: ordered(changes.updates.map(update)) { $0.source < $1.source },
      silentSections: ordered(changes.silentSections.map(move)) { $0.source < $1.source },
      silentRows: ordered(changes.silentRows.map(update)) { $0.source < $1.source })
  }

  private func ordered<Change>(
    _ changes: [Change], by areInIncreasingOrder: (Change, Change) -> Bool
  ) -> [Change] {
    keepsOrder ? changes : changes.sorted(by: areInIncreasingOrder)
  }

  private func insert(_ change: SectionInsert) -> SectionInsert {
    SectionInsert(
      section: sectionAfter(change.section), header: headerAfter(change.header, change.section),
      order: change.order)
  }

  private func move(_ change: SectionMove) -> SectionMove {
    SectionMove(
      source: sectionBefore(change.source), target: sectionAfter(change.target),
      header: headerAfter(change.header, change.target), orderBefore: change.orderBefore,
      orderAfter: change.orderAfter)
  }

  private func updates(_ changes: some Sequence<SectionUpdate>) -> [SectionUpdate] {
    let updates = changes.compactMap(update)
    if ownUpdates.isEmpty { return ordered(updates) { $0.source < $1.source } }
    return (updates + ownUpdates).sorted { $0.source < $1.source }
  }

  private func update(_ change: SectionUpdate) -> SectionUpdate? {
    let before = headerBefore(change.before, change.source)
    let after = headerAfter(change.header, change.target)
    guard before != after else { return nil }
    return SectionUpdate(
      source: sectionBefore(change.source), target: sectionAfter(change.target), before: before,
      header: after)
  }

  private func insert(_ change: ItemInsert<InputID, InputItem>) -> ItemInsert<ItemID, Item> {
    ItemInsert(
      path: pathAfter(change.path), id: id(change.id), payload: payload(change.payload),
      after: change.after)
  }

  private func move(_ change: ItemMove<InputID, InputItem>) -> ItemMove<ItemID, Item> {
    ItemMove(
      source: pathBefore(change.source), target: pathAfter(change.target), id: id(change.id),
      isContentChanged: change.isContentChanged, payload: payload(change.payload),
      before: change.before, after: change.after)
  }

  private func update(_ change: ItemUpdate<InputID, InputItem>) -> ItemUpdate<ItemID, Item> {
    ItemUpdate(
      source: pathBefore(change.source), target: pathAfter(change.target), id: id(change.id),
      payload: payload(change.payload), before: change.before, after: change.after)
  }
}
