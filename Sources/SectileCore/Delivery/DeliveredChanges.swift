/// What a ``Changeset`` says, in the box that its copies share and that travels to the listeners of
/// a source.
///
/// There are two kinds, ``DeliveredLists`` and ``DeliveredRow``.
@usableFromInline
package class DeliveredChanges<ItemID: Hashable & Sendable, Item: Sendable>: @unchecked Sendable {
  @usableFromInline let sourceVersion: Int
  @usableFromInline let targetVersion: Int
  /// Whether this is a ``DeliveredRow``, so that nothing has to be asked at run time.
  @usableFromInline let isRow: Bool

  fileprivate init(sourceVersion: Int, targetVersion: Int, isRow: Bool) {
    self.sourceVersion = sourceVersion
    self.targetVersion = targetVersion
    self.isRow = isRow
  }

  /// The one row that moved or changed; nil where there are lists.
  @inlinable @inline(__always)
  var row: DeliveredRow<ItemID, Item>? {
    isRow ? unsafeDowncast(self, to: DeliveredRow<ItemID, Item>.self) : nil
  }

  /// What changed, in lists; nil where one row is all.
  @inlinable @inline(__always)
  var lists: DeliveredLists<ItemID, Item>? {
    isRow ? nil : unsafeDowncast(self, to: DeliveredLists<ItemID, Item>.self)
  }

  /// Boxes one row that moved or changed, if it is the ``DeliveredRow`` type that is asked.
  ///
  /// Each type that depends on that of the items takes a search at run time to be named. Who holds
  /// this one names none.
  ///
  /// - Parameters:
  ///   - row: The row; it moved where its paths differ.
  ///   - id: The row's identity.
  ///   - item: The row's item.
  ///   - sourceVersion: The version before.
  ///   - targetVersion: The version after.
  /// - Returns: The box.
  package class func of(
    _ row: KeptRow, id: ItemID, item: Item, from sourceVersion: Int, to targetVersion: Int
  ) -> DeliveredChanges {
    DeliveredRow.of(row, id: id, item: item, from: sourceVersion, to: targetVersion)
  }

  /// The changeset.
  package final var changes: Changeset<ItemID, Item> { Changeset(self) }
}

/// One row that moved or changed, which is what most commits come to.
@usableFromInline
package final class DeliveredRow<ItemID: Hashable & Sendable, Item: Sendable>:
  DeliveredChanges<ItemID, Item>, @unchecked Sendable
{
  @usableFromInline let kept: KeptRow
  @usableFromInline let id: ItemID
  @usableFromInline let item: Item

  private init(_ row: KeptRow, id: ItemID, item: Item, from source: Int, to target: Int) {
    kept = row
    self.id = id
    self.item = item
    super.init(sourceVersion: source, targetVersion: target, isRow: true)
  }

  override package class func of(
    _ row: KeptRow, id: ItemID, item: Item, from sourceVersion: Int, to targetVersion: Int
  ) -> DeliveredChanges<ItemID, Item> {
    DeliveredRow(row, id: id, item: item, from: sourceVersion, to: targetVersion)
  }

  /// Whether the row moved; else it stayed in place and has other contents.
  @inlinable var isMove: Bool { kept.source != kept.target }

  @inlinable var move: ItemMove<ItemID, Item> {
    ItemMove(
      source: kept.source, target: kept.target, id: id, isContentChanged: kept.isContentChanged,
      payload: .deferred { self.item }, before: kept.before, after: kept.after)
  }

  @inlinable var update: ItemUpdate<ItemID, Item> {
    ItemUpdate(
      source: kept.source, target: kept.target, id: id, payload: .deferred { self.item },
      before: kept.before, after: kept.after)
  }
}

/// The lists of a ``Changeset``.
@usableFromInline
package final class DeliveredLists<ItemID: Hashable & Sendable, Item: Sendable>:
  DeliveredChanges<ItemID, Item>, @unchecked Sendable
{
  let sections: SectionLists
  @usableFromInline let deletes: [ItemDelete<ItemID>]
  @usableFromInline let inserts: ChangeList<ItemInsert<ItemID, Item>>
  @usableFromInline let moves: [ItemMove<ItemID, Item>]
  @usableFromInline let updates: [ItemUpdate<ItemID, Item>]
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
    self.sections = sections
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silentRows = silentRows
    super.init(sourceVersion: sourceVersion, targetVersion: targetVersion, isRow: false)
  }
}
