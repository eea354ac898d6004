import SectileCore

// What touched rows come to once their places are known.
extension TouchedRows {
  /// Returns the change that the rows make at their places.
  ///
  /// - Parameters:
  ///   - places: Their places.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The change.
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func change(
    at places: TouchedPlaces, in context: borrowing DerivationContext
  ) throws -> PlanChange? {
    guard
      let edits = SectionEdits(
        index: context.base.index, removed: places.leaving, insertions: places.insertions,
        keepsEmptySections: context.keepsEmptySections)
    else { throw StaleContents() }
    var targets = [ItemPath?](repeating: nil, count: rows.count)
    for (arrival, path) in zip(places.order, edits.insertedPaths) {
      targets[arrivals[arrival].row] = path
    }
    return try assemble(targets: targets, leaving: places.leaving, edits, in: context)
  }

  private func assemble(
    targets: [ItemPath?], leaving: [ItemPath], _ edits: SectionEdits,
    in context: borrowing DerivationContext
  ) throws -> PlanChange? {
    var contents = ContentsEdits()
    contents.index.removedRows = leaving
    contents.index.removedSections = edits.deletedSections
    let inserted = edits.newSections.enumerated().map { offset, section in
      IndexEdits.Section(
        ordinal: section.survivorsBefore + offset, header: section.header, order: section.order)
    }
    contents.index.insertedSections = inserted

    let sectionCount = context.base.index.sectionCount
    let correspondence = SectionCorrespondence(
      oldCount: sectionCount,
      newCount: sectionCount - edits.deletedSections.count + inserted.count,
      deleted: edits.deletedSections, inserted: inserted.map { $0.ordinal })
    var transitions: [PlanTransition] = []
    transitions.reserveCapacity(rows.count)
    contents.rows.reserveCapacity(rows.count)
    var headers = headers
    for (position, row) in rows.enumerated() {
      if row.isDisplaced, let source = row.source { headers.rowLeft(from: source) }
      guard row.isThere else {
        transitions.append(row.transition(to: nil))
        contents.removedKeys.append(row.key)
        continue
      }
      let target = row.isDisplaced ? targets[position] : row.source.map(edits.pathAfter)
      transitions.append(row.transition(to: target))
      contents.rows.append(row.edit(to: target))
      guard let target else { continue }
      if let source = row.source, !row.isDisplaced {
        headers.rowChanged(row.key, in: source.section, at: target)
      } else {
        headers.rowArrived(row.key, at: target)
      }
    }
    let changed = try headers.finish(edits, by: context.reader)
    contents.index.updatedSections = changed.map { $0.section }
    let changes = PlanChange.Rows(
      sectionChanges: Self.sectionChanges(
        correspondence, retitled: changed.map { $0.source },
        edited: inserted + contents.index.updatedSections, from: context.base),
      rows: transitions,
      kinds: RowClassification(transitions.map(\.touchedRow), sections: correspondence))
    return PlanChange(.edited(contents, changes), items: context.items)
  }

  private static func sectionChanges(
    _ sections: SectionCorrespondence, retitled: [Int], edited: [IndexEdits.Section],
    from base: PlanContents
  ) -> SectionChanges {
    let edited = Dictionary(edited.map { ($0.ordinal, $0) }) { first, _ in first }
    return SectionChanges(
      sections, retitled: retitled, old: { base.section($0) },
      new: { ordinal in
        if let section = edited[ordinal] {
          return SectionState(header: section.header, order: section.order)
        }
        return base.section(sections.source(of: ordinal) ?? ordinal)
      })
  }
}

extension Touched {
  fileprivate func transition(to target: ItemPath?) -> PlanTransition {
    PlanTransition(
      key: key, source: source, target: target, isContentChanged: isContentChanged,
      before: before, after: after, item: item)
  }

  fileprivate func edit(to target: ItemPath?) -> ContentsEdits.Row {
    ContentsEdits.Row(
      key: key, path: isDisplaced ? target : nil,
      content: after?.content ?? RowDigest.unknown,
      order: after?.order ?? RowDigest.unknown)
  }
}
