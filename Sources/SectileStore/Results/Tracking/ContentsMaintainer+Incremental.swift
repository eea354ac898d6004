import SectileCore

/// A touched row, read again.
///
/// Its item is kept elsewhere: what sorts and filters rows is faster where it need not ask at run
/// time how large an item is.
private struct Touched {
  let key: RowKey
  /// The row's handle and path before, where it was there.
  let handle: Int32?
  let source: ItemPath?
  /// The row as it is, where it is there.
  let row: PlanRow?
  /// Whether the row's place has to be found: it is new, or a sort key or its section changed.
  let isDisplaced: Bool
  let isContentChanged: Bool
}

extension ContentsMaintainer {
  /// Returns the change that the touched rows make, or nil where they make none.
  ///
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func incrementalChange(touching keys: Set<RowKey>) throws -> PreparedChange<Item>? {
    var touched: [Touched] = []
    var items: [Item?] = []
    for key in keys {
      guard let (row, item) = try read(key) else { continue }
      touched.append(row)
      items.append(item)
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
    return try assemble(touched, items, arriving: arriving, leaving: leaving, edits: edits)
  }

  /// Whether the rows are all that some section has.
  ///
  /// A section that outlives its rows loses the title and the place that they gave it.
  private func empties(_ leaving: [ItemPath]) -> Bool {
    var counts: [Int: Int] = [:]
    for path in leaving { counts[path.section, default: 0] += 1 }
    return counts.contains { $0.value == base.index.count(inSection: $0.key) }
  }

  private enum Found {
    case unchanged
    case row(PlanRow, Item)
  }

  /// Reads a touched row; nil where nothing about it changed.
  private func read(_ key: RowKey) throws -> (Touched, Item?)? {
    let handle = base.keys.handle(of: key)
    let source = handle.flatMap { base.index.path(of: $0) }
    let found: Found? = try reader.withRow(key) { cursor in
      if let handle, let source, base.fingerprint(of: handle) == cursor.fingerprint(),
        try isSameSection(cursor, at: source)
      {
        return .unchanged
      }
      return .row(try cursor.row(), try cursor.item(format))
    }
    switch found {
    case .unchanged: return nil
    case .row(let row, let item): return (touched(row, handle: handle, source: source), item)
    case nil:
      guard handle != nil else { return nil }
      let touched = Touched(
        key: key, handle: handle, source: source, row: nil, isDisplaced: true,
        isContentChanged: false)
      return (touched, nil)
    }
  }

  private func touched(_ row: PlanRow, handle: Int32?, source: ItemPath?) -> Touched {
    guard let handle, let source else {
      return Touched(
        key: row.key, handle: nil, source: nil, row: row, isDisplaced: true,
        isContentChanged: true)
    }
    let before = base.fingerprint(of: handle)
    let section = base.section(source.section)
    let isSameSection =
      section.header.identity == row.section.header.identity && section.order == row.section.order
    return Touched(
      key: row.key, handle: handle, source: source, row: row,
      isDisplaced: !isSameSection || before.order != row.fingerprint.order,
      isContentChanged: before.content != row.fingerprint.content)
  }

  /// Whether the row's section is the one at a path, with the same place and title.
  private func isSameSection(_ cursor: PlanCursor, at path: ItemPath) throws -> Bool {
    let section = try cursor.section()
    let header = base.index.header(ofSection: path.section)
    return header.identity == section.header.identity
      && base.index.order(ofSection: path.section) == section.order
      && (path.item > 0 || header == section.header)
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
    _ touched: [Touched], _ readItems: [Item?], arriving: [Touched], leaving: [ItemPath],
    edits: SectionEdits
  ) throws -> PreparedChange<Item>? {
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
    var builder = ChangesetBuilder<Item.ID, Item>(
      sourceVersion: baseVersion, targetVersion: baseVersion + 1, sections: correspondence)
    var targets: [RowKey: ItemPath] = [:]
    for (row, path) in zip(arriving, edits.insertedPaths) { targets[row.key] = path }

    var items: [RowKey: Item?] = [:]
    for (row, item) in zip(touched, readItems) {
      let target = row.isDisplaced ? targets[row.key] : row.source.map(edits.pathAfter)
      items[row.key] = .some(item)
      builder.rows.append(try transition(row, item, target: row.row == nil ? nil : target))
      if let handle = row.handle, row.row == nil { contents.removedHandles.append(handle) }
      if let now = row.row {
        contents.rows.append(
          ContentsEdits.Row(
            key: row.key, handle: row.handle, fingerprint: now.fingerprint,
            path: row.isDisplaced ? target : nil))
      }
    }
    let headers = try changedHeaders(touched, targets: targets, edits: edits)
    contents.index.updatedSections = headers.map { $0.section }
    builder.retitledSections = headers.map { $0.source }
    let after = Dictionary(
      (inserted + contents.index.updatedSections).map { ($0.ordinal, $0) }
    ) { first, _ in first }
    let changes = builder.build(
      old: { base.section($0) },
      new: { ordinal in
        if let section = after[ordinal] {
          return SectionState(header: section.header, order: section.order)
        }
        return base.section(correspondence.source(of: ordinal) ?? ordinal)
      })
    return finish(.edited(contents), changes, items: items)
  }

  private func transition(
    _ row: Touched, _ item: Item?, target: ItemPath?
  ) throws -> Transition {
    Transition(
      id: try id(of: row.key), source: row.source, target: target,
      isContentChanged: row.isContentChanged,
      before: row.handle.map { base.fingerprint(of: $0) }, after: row.row?.fingerprint,
      payload: item.map { .value($0) })
  }

  // MARK: Titles

  /// Returns the surviving sections whose header is another one, because their first row is.
  private func changedHeaders(
    _ touched: [Touched], targets: [RowKey: ItemPath], edits: SectionEdits
  ) throws -> [(source: Int, section: IndexEdits.Section)] {
    guard reader.queries.plan.section?.title != nil else { return [] }
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
