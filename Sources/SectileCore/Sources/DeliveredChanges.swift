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

  /// Boxes rows that moved or were updated, and everything else as it is here.
  ///
  /// Asked of a box without changes, it boxes these rows alone. Not even an empty list is made for that,
  /// because its type would have to be looked up.
  ///
  /// - Parameters:
  ///   - moves: See ``Changeset/moves``; nil for those of this box.
  ///   - updates: See ``Changeset/updates``; nil for those of this box.
  ///   - sourceVersion: The version before.
  ///   - targetVersion: The version after.
  /// - Returns: The box.
  package func with(
    moves: [ItemMove<ItemID, Item>]? = nil, updates: [ItemUpdate<ItemID, Item>]? = nil,
    from sourceVersion: Int, to targetVersion: Int
  ) -> DeliveredChanges {
    DeliveredChanges(
      sourceVersion: sourceVersion, targetVersion: targetVersion, sections: sections,
      deletes: deletes, inserts: inserts, moves: moves ?? self.moves,
      updates: updates ?? self.updates, silentRows: silentRows)
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
