extension Changeset {
  /// The changes as batches that a strict list view accepts, to be applied one after another.
  ///
  /// A batch never moves a row out of a section that it deletes or into one that it inserts: such a
  /// move is a delete and an insert. Sections move in a batch of their own, before all rows, and
  /// updates come in a batch of their own after them. A list moves the cell that it has, so a row
  /// that moves and has other contents is moved first, and updated at its new place:
  ///
  /// 1. section moves;
  /// 2. sections and rows that go, come, or (rows) move;
  /// 3. updates of the contents, of sections and of rows, at positions that do not change any more.
  ///
  /// Headers follow with the last batch: until then a title that tells how many rows there are says
  /// the number before. Who draws between batches reads such a number from the rows.
  ///
  /// Batches without changes are left out. Only the last one leads to ``targetVersion``; the others
  /// stay at ``sourceVersion``.
  ///
  /// - Complexity: O(*c* log *c*) for *c* changes.
  public var batches: [Changeset] {
    let stager = ChangesetStager(changeset: self)
    let batches = [stager.sectionMoves(), stager.structure(), stager.updates()]
      .filter { !$0.isEmpty }
    return batches.enumerated().map { offset, batch in
      batch.leading(
        from: sourceVersion, to: offset == batches.count - 1 ? targetVersion : sourceVersion)
    }
  }

  /// Returns the same changes from one version to another.
  package func leading(from source: Int, to target: Int) -> Changeset {
    Changeset(
      sourceVersion: source, targetVersion: target, contentsUpdate: contentsUpdate,
      sectionDeletes: Array(sectionDeletes),
      sectionInserts: sectionInserts, sectionMoves: Array(sectionMoves),
      sectionUpdates: Array(sectionUpdates), deletes: Array(deletes), inserts: inserts,
      moves: Array(moves),
      updates: Array(updates), silentSections: silentSections, silentRows: silentRows)
  }

  /// Returns the same changes of sections and rows, with what changed of the contents as a whole.
  package func with(_ update: ContentsUpdate?) -> Changeset {
    if contentsUpdate == update { return self }
    return Changeset(
      sourceVersion: sourceVersion, targetVersion: targetVersion, contentsUpdate: update,
      sectionDeletes: Array(sectionDeletes), sectionInserts: sectionInserts,
      sectionMoves: Array(sectionMoves), sectionUpdates: Array(sectionUpdates),
      deletes: Array(deletes), inserts: inserts, moves: Array(moves), updates: Array(updates),
      silentSections: silentSections, silentRows: silentRows)
  }
}

/// Divides a changeset into batches.
private struct ChangesetStager<ItemID: Hashable & Sendable, Item: Sendable> {
  typealias Batch = Changeset<ItemID, Item>

  let changeset: Batch
  /// The sections when those that move have moved, and nothing else happened yet.
  let sections: OccurrenceLine
  let moved: [Int: Int]
  let deleted: Set<Int>
  let inserted: Set<Int>

  init(changeset: Batch) {
    self.changeset = changeset
    var sections = OccurrenceLine(
      removed: changeset.sectionDeletes.map(\.section) + changeset.sectionMoves.map(\.source),
      inserted: changeset.sectionInserts.map(\.section) + changeset.sectionMoves.map(\.target))
    for move in changeset.sectionMoves {
      _ = sections.remove(old: move.source)
      _ = sections.insert(new: move.target)
    }
    self.sections = sections
    deleted = Set(changeset.sectionDeletes.map(\.section))
    inserted = Set(changeset.sectionInserts.map(\.section))
    moved = Dictionary(changeset.sectionMoves.map { ($0.source, $0.target) }) { first, _ in first }
  }

  /// Returns where a section of the contents before is after the first batch.
  private func between(_ section: Int) -> Int {
    moved[section].map { sections.position(new: $0) } ?? sections.position(old: section)
  }

  private func between(_ path: ItemPath) -> ItemPath {
    ItemPath(section: between(path.section), item: path.item)
  }

  func sectionMoves() -> Batch {
    // The header that a move carries is the new one; here the section still has the one before.
    let updates = changeset.sectionUpdates.map { ($0.source, $0.before) }
    let former = Dictionary(updates) { first, _ in first }
    return Batch(
      sourceVersion: 0, targetVersion: 0,
      sectionMoves: changeset.sectionMoves.map {
        SectionMove(
          source: $0.source, target: between($0.source), header: former[$0.source] ?? $0.header,
          orderBefore: $0.orderBefore, orderAfter: $0.orderAfter)
      })
  }

  /// Returns whether a strict list view can move the row.
  private func canMove(_ move: ItemMove<ItemID, Item>) -> Bool {
    !deleted.contains(move.source.section) && !inserted.contains(move.target.section)
  }

  func structure() -> Batch {
    var deletes = Array(changeset.deletes)
    var inserts = Array(changeset.inserts)
    var moves: [ItemMove<ItemID, Item>] = []
    for move in changeset.moves {
      if canMove(move) {
        moves.append(
          ItemMove(
            source: between(move.source), target: move.target, id: move.id,
            isContentChanged: false, payload: move.payload, before: move.before, after: move.after))
      } else {
        deletes.append(ItemDelete(path: move.source, id: move.id, before: move.before))
        inserts.append(
          ItemInsert(path: move.target, id: move.id, payload: move.payload, after: move.after))
      }
    }
    return Batch(
      sourceVersion: 0, targetVersion: 0,
      sectionDeletes: changeset.sectionDeletes.map {
        SectionDelete(section: between($0.section), header: $0.header, order: $0.order)
      }.sorted { $0.section < $1.section },
      sectionInserts: changeset.sectionInserts,
      deletes: deletes.map {
        ItemDelete(path: between($0.path), id: $0.id, before: $0.before)
      }.sorted { $0.path < $1.path },
      inserts: ChangeList(inserts.sorted { $0.path < $1.path }),
      moves: moves.sorted { $0.source < $1.source })
  }

  func updates() -> Batch {
    let updates = changeset.updates.map {
      ItemUpdate(
        source: $0.target, target: $0.target, id: $0.id, payload: $0.payload,
        before: $0.before, after: $0.after)
    }
    let moved = changeset.moves.filter { $0.isContentChanged && canMove($0) }.map {
      ItemUpdate(
        source: $0.target, target: $0.target, id: $0.id, payload: $0.payload,
        before: $0.before, after: $0.after)
    }
    return Batch(
      sourceVersion: 0, targetVersion: 0, contentsUpdate: changeset.contentsUpdate,
      sectionUpdates: changeset.sectionUpdates.map {
        SectionUpdate(
          source: $0.target, target: $0.target, before: $0.before, header: $0.header)
      }.sorted { $0.source < $1.source },
      updates: (updates + moved).sorted { $0.source < $1.source })
  }
}
