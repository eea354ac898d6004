/// A row that was written, with all that a ``Changeset`` says of it.
package struct RowTransition<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  package var id: ItemID
  /// The row's path before, or nil where it was not there.
  package var source: ItemPath?
  /// The row's path after, or nil where it is not there.
  package var target: ItemPath?
  /// Whether the row's own values changed; of no meaning where it was or is not there.
  package var isContentChanged: Bool
  package var before: RowFingerprint?
  package var after: RowFingerprint?
  /// The row as it is; nil where it is gone.
  package var payload: ItemPayload<Item>?

  package init(
    id: ItemID, source: ItemPath?, target: ItemPath?, isContentChanged: Bool,
    before: RowFingerprint? = nil, after: RowFingerprint? = nil,
    payload: ItemPayload<Item>? = nil
  ) {
    self.id = id
    self.source = source
    self.target = target
    self.isContentChanged = isContentChanged
    self.before = before
    self.after = after
    self.payload = payload
  }
}

/// A section's header, and what decides its place where that is known.
package struct SectionState: Hashable, Sendable {
  package var header: SourceSection
  package var order: UInt64?

  package init(header: SourceSection, order: UInt64? = nil) {
    self.header = header
    self.order = order
  }
}

/// Makes a ``Changeset`` of the rows and sections that were touched.
///
/// It decides what each of them is: see ``RowClassification`` and ``SectionCorrespondence``.
package struct ChangesetBuilder<ItemID: Hashable & Sendable, Item: Sendable> {
  package var sourceVersion: Int
  package var targetVersion: Int
  package var sections: SectionCorrespondence
  /// The ordinals before of surviving sections whose header may have changed.
  package var retitledSections: [Int] = []
  /// Every row that was inserted, deleted, whose values changed or whose sort key changed.
  package var rows: [RowTransition<ItemID, Item>] = []
  /// What changed of the contents as a whole.
  package var contentsUpdate: ContentsUpdate?

  package init(sourceVersion: Int, targetVersion: Int, sections: SectionCorrespondence) {
    self.sourceVersion = sourceVersion
    self.targetVersion = targetVersion
    self.sections = sections
  }

  /// Makes the changeset.
  ///
  /// - Parameters:
  ///   - old: Returns a section by its ordinal before.
  ///   - new: Returns a section by its ordinal after.
  /// - Returns: The changeset; it is empty where nothing that was touched changed.
  /// - Complexity: O(*c* log *c*) for *c* touched rows and sections.
  package func build(
    old: (Int) -> SectionState, new: (Int) -> SectionState
  ) -> Changeset<ItemID, Item> {
    build(SectionChanges(sections, retitled: retitledSections, old: old, new: new))
  }

  /// Makes the changeset with section changes that are known already.
  package func build(_ sectionChanges: SectionChanges) -> Changeset<ItemID, Item> {
    let kinds = RowClassification(
      rows.map {
        TouchedRow(
          source: $0.source, target: $0.target, isContentChanged: $0.isContentChanged)
      }, sections: sections)
    return Changeset(
      sourceVersion: sourceVersion, targetVersion: targetVersion, contentsUpdate: contentsUpdate,
      sectionDeletes: sectionChanges.deletes,
      sectionInserts: ChangeList(sectionChanges.inserts),
      sectionMoves: sectionChanges.moves,
      sectionUpdates: sectionChanges.updates,
      deletes: kinds.deletes.compactMap { delete(rows[$0]) },
      inserts: ChangeList(kinds.inserts.compactMap { insert(rows[$0]) }),
      moves: kinds.moves.compactMap { move(rows[$0]) },
      updates: kinds.updates.compactMap { update(rows[$0]) },
      silentSections: sectionChanges.silent,
      silentRows: kinds.unchanged.compactMap { update(rows[$0]) }
        .filter { $0.before != $0.after })
  }

  private func delete(_ row: RowTransition<ItemID, Item>) -> ItemDelete<ItemID>? {
    row.source.map { ItemDelete(path: $0, id: row.id, before: row.before) }
  }

  private func insert(_ row: RowTransition<ItemID, Item>) -> ItemInsert<ItemID, Item>? {
    row.target.map { ItemInsert(path: $0, id: row.id, payload: payload(of: row), after: row.after) }
  }

  private func move(_ row: RowTransition<ItemID, Item>) -> ItemMove<ItemID, Item>? {
    guard let source = row.source, let target = row.target else { return nil }
    return ItemMove(
      source: source, target: target, id: row.id, isContentChanged: row.isContentChanged,
      payload: payload(of: row), before: row.before, after: row.after)
  }

  private func update(_ row: RowTransition<ItemID, Item>) -> ItemUpdate<ItemID, Item>? {
    guard let source = row.source, let target = row.target else { return nil }
    return ItemUpdate(
      source: source, target: target, id: row.id, payload: payload(of: row),
      before: row.before, after: row.after)
  }

  private func payload(of row: RowTransition<ItemID, Item>) -> ItemPayload<Item> {
    guard let payload = row.payload else {
      preconditionFailure(
        "row \(IdentityText.text(of: row.id)) is in the contents after, but carries no item")
    }
    return payload
  }
}
