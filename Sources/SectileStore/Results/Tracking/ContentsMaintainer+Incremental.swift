import SectileCore

/// A touched row, read again.
private struct Touched {
  let key: RowKey
  /// The row's path before, where it was there.
  let source: ItemPath?
  /// The row as it is, where it is there.
  let row: PlanRow?
  /// Whether the row's place has to be found: it is new, or a sort key or its section changed.
  let isDisplaced: Bool
  let isContentChanged: Bool
  var before: RowFingerprint?
  var after: RowFingerprint?
  var item: Int?
}

extension ContentsMaintainer {
  /// Returns the change that the touched rows make, or nil where they make none.
  ///
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func incrementalChange(touching keys: [RowKey]) throws -> PlanChange? {
    var touched: [Touched] = []
    touched.reserveCapacity(keys.count)
    for key in keys {
      if let row = try read(key) { touched.append(row) }
    }
    guard !touched.isEmpty else { return nil }

    let displaced = touched.filter { $0.isDisplaced }
    var arriving = displaced.filter { $0.row != nil }
    guard let rule = reader.queries.ordering else { throw StaleContents() }
    arriving.sort { left, right in
      guard let left = left.row, let right = right.row else { return false }
      return rule.areInOrder(left.ordering, right.ordering)
    }
    let leaving = displaced.compactMap { $0.source }.sorted()
    guard !keepsEmptySections || !empties(leaving) else { throw StaleContents() }
    guard
      let edits = SectionEdits(
        index: base.index, removed: leaving,
        insertions: try insertions(arriving, leaving: leaving),
        keepsEmptySections: keepsEmptySections)
    else { throw StaleContents() }
    return try assemble(touched, arriving: arriving, leaving: leaving, edits: edits)
  }

  /// Whether the rows are all that some section has.
  ///
  /// A section that outlives its rows loses the title and the place that they gave it.
  private func empties(_ leaving: [ItemPath]) -> Bool {
    var counts: [Int: Int] = [:]
    for path in leaving { counts[path.section, default: 0] += 1 }
    return counts.contains { $0.value == base.index.count(inSection: $0.key) }
  }

  /// Reads a touched row; nil where nothing about it changed.
  private func read(_ key: RowKey) throws -> Touched? {
    let handle = base.keys.handle(of: key)
    let source = handle.flatMap { base.index.path(of: $0) }
    var isThere = false
    let found: Touched? =
      try reader.withRow(key) { cursor in
        isThere = true
        guard let handle, let source else { return try arrived(key, cursor) }
        return try changed(key, handle, source, cursor)
      } ?? nil
    if isThere { return found }
    guard let handle, let source else { return nil }
    return Touched(
      key: key, source: source, row: nil, isDisplaced: true, isContentChanged: false,
      before: fingerprintBefore(key, handle: handle))
  }

  private func arrived(_ key: RowKey, _ cursor: PlanCursor) throws -> Touched {
    Touched(
      key: key, source: nil, row: try cursor.row(), isDisplaced: true, isContentChanged: true,
      after: RowFingerprint(content: cursor.contentDigest(), order: cursor.orderDigest()),
      item: try readItem(cursor))
  }

  private func changed(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ cursor: PlanCursor
  ) throws -> Touched? {
    let comparison = compare(key, handle: handle, cursor)
    let isDisplaced =
      try comparison?.isOrderChanged == true || !isInSection(cursor, ofRowAt: source)
    let hasOtherTitle =
      try !isDisplaced && source.item == 0 && isRetitled(cursor, source.section)
    guard comparison != nil || isDisplaced || hasOtherTitle else { return nil }
    let digests = RowFingerprint(content: cursor.contentDigest(), order: cursor.orderDigest())
    return Touched(
      key: key, source: source, row: try cursor.row(), isDisplaced: isDisplaced,
      isContentChanged: comparison?.isContentChanged ?? false,
      before: comparison.map { $0.before } ?? digests, after: comparison?.after ?? digests,
      item: try readItem(cursor))
  }

  /// Whether the row's section is that of the row at a path, and stands where it stood.
  private func isInSection(_ cursor: PlanCursor, ofRowAt path: ItemPath) throws -> Bool {
    guard cursor.columns.identity != nil else { return true }
    return try base.index.isSection(path.section, cursor.identityValue())
      && base.index.order(ofSection: path.section) == cursor.sectionOrderDigest()
  }

  /// Whether a section is called otherwise by the row a cursor stands on.
  private func isRetitled(_ cursor: PlanCursor, _ section: Int) throws -> Bool {
    guard cursor.columns.title != nil else { return false }
    return try cursor.section().header != base.index.header(ofSection: section)
  }

  private func insertions(
    _ arriving: [Touched], leaving: [ItemPath]
  ) throws -> [SectionEdits.Insertion] {
    let search = PositionSearch(
      contents: base, removed: leaving.map { base.index.rank(at: $0) }, reader: reader)
    var start = 0
    var insertions: [SectionEdits.Insertion] = []
    insertions.reserveCapacity(arriving.count)
    for touched in arriving {
      guard let row = touched.row else { continue }
      let gap = try search.gap(for: row, from: start)
      start = gap.lowerBound
      insertions.append(
        SectionEdits.Insertion(
          identity: row.section.header.identity, sectionOrder: row.section.order,
          header: row.section.header, gap: gap))
    }
    return insertions
  }

  private func assemble(
    _ touched: [Touched], arriving: [Touched], leaving: [ItemPath], edits: SectionEdits
  ) throws -> PlanChange? {
    var contents = ContentsEdits()
    contents.index.removedRows = leaving
    contents.index.removedSections = edits.deletedSections
    let inserted = edits.newSections.enumerated().map { offset, section in
      IndexEdits.Section(
        ordinal: section.survivorsBefore + offset, header: section.header, order: section.order)
    }
    contents.index.insertedSections = inserted

    let correspondence = SectionCorrespondence(
      oldCount: base.index.sectionCount,
      newCount: base.index.sectionCount - edits.deletedSections.count + inserted.count,
      deleted: edits.deletedSections, inserted: inserted.map { $0.ordinal })
    var targets: [RowKey: ItemPath] = [:]
    for (row, path) in zip(arriving, edits.insertedPaths) { targets[row.key] = path }

    var rows: [PlanTransition] = []
    rows.reserveCapacity(touched.count)
    for row in touched {
      let isThere = row.row != nil
      let target = row.isDisplaced ? targets[row.key] : row.source.map(edits.pathAfter)
      rows.append(transition(row, target: isThere ? target : nil))
      if isThere {
        contents.rows.append(edit(row, target: target))
      } else {
        contents.removedKeys.append(row.key)
      }
    }
    let headers = try changedHeaders(touched, targets: targets, edits: edits)
    contents.index.updatedSections = headers.map { $0.section }
    return PlanChange(
      contents: .edited(contents),
      sectionChanges: sectionChanges(
        correspondence, retitled: headers.map { $0.source },
        edited: inserted + contents.index.updatedSections),
      rows: rows, kinds: RowClassification(rows.map(\.touchedRow), sections: correspondence))
  }

  private func sectionChanges(
    _ sections: SectionCorrespondence, retitled: [Int], edited: [IndexEdits.Section]
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

  private func transition(_ row: Touched, target: ItemPath?) -> PlanTransition {
    PlanTransition(
      key: row.key, source: row.source, target: target, isContentChanged: row.isContentChanged,
      before: row.before, after: row.after, item: row.item)
  }

  private func edit(_ row: Touched, target: ItemPath?) -> ContentsEdits.Row {
    ContentsEdits.Row(
      key: row.key, path: row.isDisplaced ? target : nil,
      content: row.after?.content ?? RowDigest.unknown,
      order: row.after?.order ?? RowDigest.unknown)
  }

  // MARK: Titles

  /// Returns the surviving sections whose header is another one, because their first row is.
  private func changedHeaders(
    _ touched: [Touched], targets: [RowKey: ItemPath], edits: SectionEdits
  ) throws -> [(source: Int, section: IndexEdits.Section)] {
    guard reader.queries.layout.title != nil else { return [] }
    var firstRows: [Int: RowKey] = [:]
    for (key, path) in targets where path.item == 0 { firstRows[path.section] = key }
    var headers: [(source: Int, section: IndexEdits.Section)] = []
    var candidates = Set(edits.changedSections)
    candidates.formUnion(touched.compactMap { $0.isDisplaced ? nil : $0.source?.section })
    let leaving = Set(touched.compactMap { $0.isDisplaced ? $0.source : nil })
    for source in candidates where !edits.isDeleted(source) {
      let ordinal = edits.ordinalAfter(of: source)
      guard let key = firstRows[ordinal] ?? firstStaying(in: source, leaving: leaving),
        let header = try reader.withRow(key, { try $0.section().header }),
        header != base.index.header(ofSection: source)
      else { continue }
      headers.append(
        (
          source,
          IndexEdits.Section(
            ordinal: ordinal, header: header, order: base.index.order(ofSection: source))
        ))
    }
    return headers
  }

  private func firstStaying(in section: Int, leaving: Set<ItemPath>) -> RowKey? {
    for item in 0..<base.index.count(inSection: section) {
      let path = ItemPath(section: section, item: item)
      if !leaving.contains(path) { return base.key(at: path) }
    }
    return nil
  }
}
