/// What a ``Changeset`` says, in the box that its copies share and that travels to the listeners of a
/// source.
package final class DeliveredChanges<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  let sourceVersion: Int
  let targetVersion: Int
  let sections: SectionLists
  let deletes: [ItemDelete<ItemID>]
  let inserts: ChangeList<ItemInsert<ItemID, Item>>
  let moves: [ItemMove<ItemID, Item>]
  let updates: [ItemUpdate<ItemID, Item>]
  let silentRows: [ItemUpdate<ItemID, Item>]

  /// Boxes what changed; see ``Changeset`` for what each list is.
  ///
  /// Whoever delivers the box has made sure that something did.
  package init(
    sourceVersion: Int, targetVersion: Int, sections: SectionLists = .none,
    deletes: [ItemDelete<ItemID>] = [],
    inserts: ChangeList<ItemInsert<ItemID, Item>> = [],
    moves: [ItemMove<ItemID, Item>] = [], updates: [ItemUpdate<ItemID, Item>] = [],
    silentRows: [ItemUpdate<ItemID, Item>] = []
  ) {
    self.sourceVersion = sourceVersion
    self.targetVersion = targetVersion
    self.sections = sections
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silentRows = silentRows
  }

  /// Boxes a row that moved, and everything else as it is here.
  ///
  /// Asked of a box without changes, it boxes this row alone. Not even an empty list is made for that:
  /// each type that depends on that of the items has to be looked up.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - id: The row's identity.
  ///   - item: The row's item.
  ///   - sourceVersion: The version before.
  ///   - targetVersion: The version after.
  /// - Returns: The box.
  package func withMove(
    of row: KeptRow, id: ItemID, item: Item, from sourceVersion: Int, to targetVersion: Int
  ) -> DeliveredChanges {
    DeliveredChanges(
      sourceVersion: sourceVersion, targetVersion: targetVersion, sections: sections,
      deletes: deletes, inserts: inserts,
      moves: [
        ItemMove(
          source: row.source, target: row.target, id: id, isContentChanged: row.isContentChanged,
          payload: .value(item), before: row.before, after: row.after)
      ],
      updates: updates, silentRows: silentRows)
  }

  /// Boxes a row that stayed where it is, and everything else as it is here.
  ///
  /// See ``withMove(of:id:item:from:to:)`` for more information.
  package func withUpdate(
    of row: KeptRow, id: ItemID, item: Item, from sourceVersion: Int, to targetVersion: Int
  ) -> DeliveredChanges {
    DeliveredChanges(
      sourceVersion: sourceVersion, targetVersion: targetVersion, sections: sections,
      deletes: deletes, inserts: inserts, moves: moves,
      updates: [
        ItemUpdate(
          source: row.source, target: row.target, id: id, payload: .value(item),
          before: row.before, after: row.after)
      ],
      silentRows: silentRows)
  }

  /// Boxes a changeset, or returns nil where there is nothing to deliver.
  package convenience init?(_ changes: Changeset<ItemID, Item>) {
    guard !changes.isEmpty else { return nil }
    let box = changes.boxed
    self.init(
      sourceVersion: box.sourceVersion, targetVersion: box.targetVersion, sections: box.sections,
      deletes: box.deletes, inserts: box.inserts, moves: box.moves, updates: box.updates,
      silentRows: box.silentRows)
  }

  /// The changeset.
  package var changes: Changeset<ItemID, Item> { Changeset(self) }
}
