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
  var header: @Sendable (SourceSection) -> SourceSection = { $0 }
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
            section: sectionBefore($0.section), header: header($0.header), order: $0.order)
        }
      ) { $0.section < $1.section },
      sectionInserts: keepsOrder
        ? sectionInserts : ChangeList(sectionInserts.sorted { $0.section < $1.section }),
      sectionMoves: ordered(changes.sectionMoves.map(move)) { $0.source < $1.source },
      sectionUpdates: ordered(changes.sectionUpdates.compactMap(update)) { $0.source < $1.source },
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
      section: sectionAfter(change.section), header: header(change.header), order: change.order)
  }

  private func move(_ change: SectionMove) -> SectionMove {
    SectionMove(
      source: sectionBefore(change.source), target: sectionAfter(change.target),
      header: header(change.header), orderBefore: change.orderBefore,
      orderAfter: change.orderAfter)
  }

  private func update(_ change: SectionUpdate) -> SectionUpdate? {
    let (before, after) = (header(change.before), header(change.header))
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
