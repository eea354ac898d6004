internal import SectileCore

extension Changeset {
  /// Returns the same changes of other items, each made when it is asked for.
  func shaped<Shaped: Sendable>(
    _ shape: @escaping @Sendable (Item) -> Shaped
  ) -> Changeset<ItemID, Shaped> {
    @Sendable func payload(_ payload: ItemPayload<Item>) -> ItemPayload<Shaped> {
      .deferred { shape(try payload.item) }
    }
    let inserts = inserts
    return Changeset<ItemID, Shaped>(
      sourceVersion: sourceVersion, targetVersion: targetVersion, contentsUpdate: contentsUpdate,
      sectionDeletes: Array(sectionDeletes), sectionInserts: sectionInserts,
      sectionMoves: Array(sectionMoves), sectionUpdates: Array(sectionUpdates),
      deletes: Array(deletes),
      inserts: ChangeList(count: inserts.count) { position in
        let insert = inserts[position]
        return ItemInsert(path: insert.path, id: insert.id, payload: payload(insert.payload))
      },
      moves: moves.map {
        ItemMove(
          source: $0.source, target: $0.target, id: $0.id, isContentChanged: $0.isContentChanged,
          payload: payload($0.payload))
      },
      updates: updates.map {
        ItemUpdate(source: $0.source, target: $0.target, id: $0.id, payload: payload($0.payload))
      })
  }

  /// How many rows it says something about.
  var rowCount: Int { deletes.count + inserts.count + moves.count + updates.count }

  /// Returns one changeset for several that follow each other, at least one.
  ///
  /// - Throws: ``ChangesetError`` where they do not.
  static func merged(_ changes: ArraySlice<Changeset>) throws(ChangesetError) -> Changeset {
    guard changes.count > 1 else { return changes[changes.startIndex] }
    let middle = changes.startIndex + changes.count / 2
    return try merged(changes[..<middle]).merging(try merged(changes[middle...]))
  }
}
