internal import SectileCore

extension Changeset {
  /// Returns the changes as a target sees them: cells, made when asked for, in place of items.
  ///
  /// - Parameters:
  ///   - presenter: What makes the cells.
  ///   - source: The version of what the target shows before.
  ///   - target: The version of what it shows after.
  ///   - note: Called with the path, after the changes, of each cell that is asked for.
  /// - Returns: The changes; no cell is made yet.
  func presented<Cell: Sendable>(
    by presenter: any Presenter<Item, Cell>, from source: Int, to target: Int,
    noting note: @escaping @Sendable (ItemPath) -> Void
  ) -> Changeset<ItemID, Cell> {
    @Sendable func cell(_ payload: ItemPayload<Item>, _ path: ItemPath) -> ItemPayload<Cell> {
      .deferred {
        note(path)
        return try presenter.preparedCell(for: payload.item, at: path)
      }
    }
    let (inserts, sectionInserts) = (inserts, sectionInserts)
    return Changeset<ItemID, Cell>(
      sourceVersion: source, targetVersion: target, contentsUpdate: contentsUpdate,
      sectionDeletes: sectionDeletes.map {
        SectionDelete(section: $0.section, header: presenter.presented($0.header))
      },
      sectionInserts: ChangeList(count: sectionInserts.count) { position in
        let insert = sectionInserts[position]
        return SectionInsert(section: insert.section, header: presenter.presented(insert.header))
      },
      sectionMoves: sectionMoves.map {
        SectionMove(source: $0.source, target: $0.target, header: presenter.presented($0.header))
      },
      sectionUpdates: sectionUpdates.map {
        SectionUpdate(
          source: $0.source, target: $0.target, before: presenter.presented($0.before),
          header: presenter.presented($0.header))
      },
      deletes: deletes.map { ItemDelete(path: $0.path, id: $0.id) },
      inserts: ChangeList(count: inserts.count) { position in
        let insert = inserts[position]
        return ItemInsert(
          path: insert.path, id: insert.id, payload: cell(insert.payload, insert.path))
      },
      moves: moves.map {
        ItemMove(
          source: $0.source, target: $0.target, id: $0.id, isContentChanged: $0.isContentChanged,
          payload: cell($0.payload, $0.target))
      },
      updates: updates.map {
        ItemUpdate(
          source: $0.source, target: $0.target, id: $0.id, payload: cell($0.payload, $0.target))
      })
  }
}
