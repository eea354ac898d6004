import SectileCore

/// A touched row, read again.
struct Touched {
  let key: RowKey
  /// The row's path before, where it was there.
  let source: ItemPath?
  /// Whether the row is there.
  let isThere: Bool
  /// Whether the row's place has to be found: it is new, or a sort key or its section changed.
  let isDisplaced: Bool
  let isContentChanged: Bool
  var before: RowFingerprint?
  var after: RowFingerprint?
  var item: Int?
}

/// All touched rows, and what is needed to place some of them.
struct TouchedRows {
  /// A row whose place has to be found.
  struct Arrival {
    /// The row's position among ``rows``.
    let row: Int
    let home: SectionEdits.Home
  }

  var rows: [Touched] = []
  var arrivals: [Arrival] = []
  /// The sort keys of the arrivals, by their positions.
  let sortKeys: SortKeys
  /// The ranks of the rows that are displaced or gone.
  var leavingRanks: [Int] = []
  var headers: SectionHeaders

  func key(ofArrival arrival: Int) -> RowKey { rows[arrivals[arrival].row].key }
}

/// Where touched rows leave, and where they are put in.
struct TouchedPlaces {
  /// The paths before that rows leave.
  let leaving: [ItemPath]
  /// The arrivals by their positions, in their final order.
  let order: [Int]
  /// Where each of them is put in, in the same order.
  let insertions: [SectionEdits.Insertion]
}

extension ContentsMaintainer {
  /// Returns the change that the touched rows make, or nil where they make none.
  ///
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func incrementalChange(touching keys: [RowKey]) throws -> PlanChange? {
    let touched = try read(keys)
    guard !touched.rows.isEmpty else { return nil }
    return try change(of: touched, at: places(of: touched))
  }

  /// Finds the places of touched rows.
  ///
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func places(of touched: TouchedRows) throws -> TouchedPlaces {
    guard let rule = reader.queries.ordering else { throw StaleContents() }
    let leaving = touched.leavingRanks.map { base.index.path(atRank: $0) }
    guard !keepsEmptySections || !empties(leaving) else { throw StaleContents() }
    let order = touched.sortKeys.sorted(by: rule)
    return TouchedPlaces(
      leaving: leaving, order: order, insertions: try insertions(touched, in: order))
  }

  /// Returns the change that touched rows make at their places.
  ///
  /// - Throws: See ``places(of:)``.
  func change(of touched: TouchedRows, at places: TouchedPlaces) throws -> PlanChange? {
    guard
      let edits = SectionEdits(
        index: base.index, removed: places.leaving, insertions: places.insertions,
        keepsEmptySections: keepsEmptySections)
    else { throw StaleContents() }
    var targets = [ItemPath?](repeating: nil, count: touched.rows.count)
    for (arrival, path) in zip(places.order, edits.insertedPaths) {
      targets[touched.arrivals[arrival].row] = path
    }
    return try assemble(touched, targets: targets, leaving: places.leaving, edits: edits)
  }

  /// Whether so few of the touched rows leave their places that the others need not be listed.
  ///
  /// Judged by a sample: many rows are mostly written by one statement, which sets a flag that
  /// nothing is sorted by, or moves them all.
  func touchedRowsStay() throws -> Bool {
    let keys = Set(past.touchedKeys(about: MaintenanceCost.sampleCount))
      .sorted { $0.comesBefore($1) }
    var stayingCount = 0
    try reader.forEachRow(of: keys) { position, cursor in
      if isInPlace(keys[position], cursor) { stayingCount += 1 }
    }
    let displaced = past.touchedCount * (keys.count - stayingCount) / keys.count
    return !MaintenanceCost.prefersRebuild(
      touched: displaced, of: try rebuildSize(touched: displaced))
  }

  /// Whether the row a cursor stands on is in its section, and what it is sorted by is the same.
  private func isInPlace(_ key: RowKey, _ cursor: PlanCursor) -> Bool {
    guard let handle = base.keys.handle(of: key), let source = base.index.path(of: handle),
      let home = try? home(of: cursor, near: source.section)
    else { return false }
    return home.isSection(source.section)
      && compare(key, handle: handle, cursor)?.isOrderChanged != true
  }

  /// Whether the rows are all that some section has.
  ///
  /// A section that outlives its rows loses the title and the place that they gave it.
  private func empties(_ leaving: [ItemPath]) -> Bool {
    var counts: [Int: Int] = [:]
    for path in leaving { counts[path.section, default: 0] += 1 }
    return counts.contains { $0.value == base.index.count(inSection: $0.key) }
  }

  // MARK: Reading

  /// Reads touched rows.
  ///
  /// - Parameters:
  ///   - keys: Their keys, ascending.
  ///   - outside: Those that do not belong to the contents, whatever the filter says.
  /// - Returns: The rows about which something changed.
  /// - Throws: See ``incrementalChange(touching:)``.
  func read(_ keys: [RowKey], outside: Set<RowKey> = []) throws -> TouchedRows {
    let layout = reader.queries.layout
    var touched = TouchedRows(
      sortKeys: SortKeys(positions: layout.ordering), headers: SectionHeaders(of: base, layout))
    touched.rows.reserveCapacity(keys.count)
    var isThere = [Bool](repeating: false, count: keys.count)
    try reader.forEachRow(of: keys) { position, cursor in
      let key = keys[position]
      guard outside.isEmpty || !outside.contains(key) else { return }
      isThere[position] = true
      guard let handle = base.keys.handle(of: key), let rank = base.index.rank(of: handle) else {
        return try addArrived(key, cursor, to: &touched)
      }
      let count = touched.rows.count
      try addChanged(key, handle, base.index.path(atRank: rank), cursor, to: &touched)
      if count < touched.rows.count, touched.rows[count].isDisplaced {
        touched.leavingRanks.append(rank)
      }
    }
    for (key, isThere) in zip(keys, isThere) where !isThere { addGone(key, to: &touched) }
    touched.leavingRanks.sort()
    return touched
  }

  private func addGone(_ key: RowKey, to touched: inout TouchedRows) {
    guard let handle = base.keys.handle(of: key), let rank = base.index.rank(of: handle) else {
      return
    }
    touched.rows.append(
      Touched(
        key: key, source: base.index.path(atRank: rank), isThere: false, isDisplaced: true,
        isContentChanged: false, before: fingerprintBefore(key, handle: handle)))
    touched.leavingRanks.append(rank)
  }

  private func addArrived(
    _ key: RowKey, _ cursor: PlanCursor, to touched: inout TouchedRows
  ) throws {
    let home = try home(of: cursor, near: nil)
    touched.arrivals.append(TouchedRows.Arrival(row: touched.rows.count, home: home))
    touched.sortKeys.append(cursor.statement)
    touched.rows.append(
      Touched(
        key: key, source: nil, isThere: true, isDisplaced: true, isContentChanged: true,
        after: cursor.fingerprint(),
        item: try readItem(cursor)))
  }

  private func addChanged(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ cursor: PlanCursor,
    to touched: inout TouchedRows
  ) throws {
    let comparison = compare(key, handle: handle, cursor)
    let home = try home(of: cursor, near: source.section)
    let isDisplaced = comparison?.isOrderChanged == true || !home.isSection(source.section)
    let hasOtherHeader =
      !isDisplaced && source.item == 0 && touched.headers.mayChange(source.section, by: cursor)
    guard comparison != nil || isDisplaced || hasOtherHeader else { return }
    if isDisplaced {
      touched.arrivals.append(TouchedRows.Arrival(row: touched.rows.count, home: home))
      touched.sortKeys.append(cursor.statement)
    }
    let after = comparison?.after ?? cursor.fingerprint()
    touched.rows.append(
      Touched(
        key: key, source: source, isThere: true, isDisplaced: isDisplaced,
        isContentChanged: comparison?.isContentChanged ?? false,
        before: comparison.map { $0.before } ?? after, after: after, item: try readItem(cursor)))
  }

  /// The section of the row a cursor stands on.
  ///
  /// - Parameters:
  ///   - cursor: Stands on the row.
  ///   - section: A section that it may well be.
  /// - Returns: The section.
  /// - Throws: ``StaleContents`` where the section stood elsewhere: the row has moved all of it;
  ///   and where the row's title cannot be read, which matters only if it is the first of its
  ///   section.
  private func home(of cursor: PlanCursor, near section: Int?) throws -> SectionEdits.Home {
    guard let known = try self.section(of: cursor, near: section) else {
      guard let new = try? cursor.section() else { throw StaleContents() }
      return .new(new)
    }
    guard known.order == cursor.sectionOrderDigest() else { throw StaleContents() }
    return .known(known.ordinal)
  }

  // MARK: Placing

  private func insertions(
    _ touched: TouchedRows, in order: [Int]
  ) throws -> [SectionEdits.Insertion] {
    let search = PositionSearch(removed: touched.leavingRanks)
    var start = 0
    // Rows of one section follow one another.
    var last = -1
    var ranks = 0..<0
    var insertions: [SectionEdits.Insertion] = []
    insertions.reserveCapacity(order.count)
    for arrival in order {
      let (row, home) = (touched.arrivals[arrival].row, touched.arrivals[arrival].home)
      if case .known(let section) = home, section != last {
        (last, ranks) = (section, base.index.ranks(ofSection: section))
      }
      let gap = try touched.sortKeys.withRow(arrival) {
        try search.gap(
          for: touched.rows[row].key, $0, among: home.isNew ? nil : ranks, from: start, by: self)
      }
      start = gap.lowerBound
      insertions.append(SectionEdits.Insertion(home: home, gap: gap))
    }
    return insertions
  }

  private func assemble(
    _ touched: TouchedRows, targets: [ItemPath?], leaving: [ItemPath], edits: SectionEdits
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
    var rows: [PlanTransition] = []
    rows.reserveCapacity(touched.rows.count)
    contents.rows.reserveCapacity(touched.rows.count)
    var headers = touched.headers
    for (position, row) in touched.rows.enumerated() {
      if row.isDisplaced, let source = row.source { headers.rowLeft(from: source) }
      guard row.isThere else {
        rows.append(transition(row, target: nil))
        contents.removedKeys.append(row.key)
        continue
      }
      let target = row.isDisplaced ? targets[position] : row.source.map(edits.pathAfter)
      rows.append(transition(row, target: target))
      contents.rows.append(edit(row, target: target))
      guard let target else { continue }
      if let source = row.source, !row.isDisplaced {
        headers.rowChanged(row.key, in: source.section, at: target)
      } else {
        headers.rowArrived(row.key, at: target)
      }
    }
    let changed = try headers.finish(edits, by: reader)
    contents.index.updatedSections = changed.map { $0.section }
    let changes = PlanChange.Rows(
      sectionChanges: sectionChanges(
        correspondence, retitled: changed.map { $0.source },
        edited: inserted + contents.index.updatedSections),
      rows: rows, kinds: RowClassification(rows.map(\.touchedRow), sections: correspondence))
    return PlanChange(.edited(contents, changes), items: items)
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
}

extension SectionEdits.Home {
  fileprivate var isNew: Bool { if case .new = self { true } else { false } }

  fileprivate func isSection(_ ordinal: Int) -> Bool {
    if case .known(let known) = self { known == ordinal } else { false }
  }
}
