import SectileCore

extension ContentsMaintainer {
  /// What a rebuild is for.
  enum Occasion {
    /// Rows were written: rows whose values and sort keys are what they were keep their order.
    case commit
    /// The request is another one: any row may move.
    case newRequest
    /// The first rows of a first load, at most so many.
    case firstBatch(Int)
    /// All rows of a first load, after the first batch.
    case firstLoad
  }

  /// A row that is new or whose fingerprint changed, as it was met while reading.
  private struct Met {
    let handle: Int32
    let isNew: Bool
    let before: RowFingerprint?
    let item: Item?
  }

  /// Everything that was read, next to what is different from before.
  private struct Reading {
    var contents: PlanContents
    var met: [Met] = []
    var isComplete = true
  }

  /// Reads all rows and returns the change from the contents before, or nil where there is none.
  ///
  /// - Returns: The change, and whether the reading reached the last row.
  /// - Throws: What reading throws; `sectionOrderAmbiguous` and `duplicateKey` where the rows
  ///   contradict the plan.
  func rebuild(_ occasion: Occasion) throws -> (change: PreparedChange<Item>?, isComplete: Bool) {
    let reading = try read(occasion)
    switch occasion {
    case .commit: return (try difference(to: reading, mayAllMove: false), true)
    case .newRequest: return (try difference(to: reading, mayAllMove: true), true)
    case .firstBatch, .firstLoad:
      var items: [RowKey: Item?] = [:]
      for row in reading.met { items[reading.contents.keys.key(of: row.handle)] = .some(row.item) }
      if let change = try growth(to: reading.contents, items: items) {
        return (change, reading.isComplete)
      }
      // The first batch is out of date. Read again, this time noting what is different.
      return try rebuild(.commit)
    }
  }

  // MARK: Reading

  private func read(_ occasion: Occasion) throws -> Reading {
    var limit = Int.max
    var readsItems = true
    switch occasion {
    case .firstBatch(let count): limit = count
    case .firstLoad: readsItems = false
    case .commit, .newRequest: break
    }
    var reading = Reading(contents: base)
    var builder = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
    var sections = SectionWalk(queries: reader.queries)
    var seen = SeenHandles()
    var count = 0
    try reader.forEachRow { cursor in
      guard count < limit else {
        reading.isComplete = false
        return false
      }
      count += 1
      if let section = try sections.advance(to: cursor) {
        for empty in section.fixedBefore { builder.appendSection(empty) }
        builder.appendSection(section.row.header, order: section.row.order)
      }
      builder.appendRow(
        try read(cursor, into: &reading, seen: &seen, readsItems: readsItems))
      return true
    }
    if reading.isComplete {
      for empty in sections.remainingFixed() { builder.appendSection(empty) }
    }
    for rank in 0..<base.count {
      let handle = base.index.handle(atRank: rank)
      if !seen.contains(handle) { reading.contents.keys.remove(handle) }
    }
    reading.contents.index = builder.finish()
    return reading
  }

  private func read(
    _ cursor: PlanCursor, into reading: inout Reading, seen: inout SeenHandles, readsItems: Bool
  ) throws -> Int32 {
    let key = try cursor.key()
    let fingerprint = cursor.fingerprint()
    let (handle, isNew) = reading.contents.keys.insert(key)
    guard seen.insert(handle) else {
      throw StoreError.duplicateKey(table: reader.queries.plan.table, key: key)
    }
    let before = isNew ? nil : base.fingerprint(of: handle)
    guard before != fingerprint else { return handle }
    reading.contents.setFingerprint(fingerprint, of: handle)
    if readsItems {
      let item = before?.content != fingerprint.content ? try cursor.item(format) : nil
      reading.met.append(Met(handle: handle, isNew: isNew, before: before, item: item))
    } else {
      // Whoever walks the inserts of a first load cannot be told of a key of the wrong type.
      try checkID(of: key)
    }
    return handle
  }

  // MARK: Comparing

  /// Returns the difference between the contents before and what was read.
  private func difference(
    to reading: Reading, mayAllMove: Bool
  ) throws -> PreparedChange<Item>? {
    let after = reading.contents
    let sections = correspondence(to: after.index, mayAllMove: mayAllMove)
    var met: [Int32: Met] = [:]
    for row in reading.met { met[row.handle] = row }

    var candidates: [Candidate] = []
    for rank in 0..<base.count {
      let handle = base.index.handle(atRank: rank)
      // A handle may have been handed out again, to another key.
      if after.keys.handle(of: base.keys.key(of: handle)) != handle {
        candidates.append(
          Candidate(
            key: base.keys.key(of: handle), source: base.index.path(atRank: rank), target: nil,
            before: base.fingerprint(of: handle), after: nil, item: nil))
      }
    }
    for rank in 0..<after.count {
      let handle = after.index.handle(atRank: rank)
      let target = after.index.path(atRank: rank)
      let change = met[handle]
      let source = change?.isNew == true ? nil : base.index.path(of: handle)
      if change == nil, !mayAllMove, let source,
        sections.target(of: source.section) == target.section
      {
        continue
      }
      candidates.append(
        Candidate(
          key: after.keys.key(of: handle), source: source, target: target,
          before: source == nil ? nil : base.fingerprint(of: handle),
          after: after.fingerprint(of: handle), item: change?.item))
    }
    return try assemble(candidates, sections: sections, after: after)
  }

  private struct Candidate {
    let key: RowKey
    let source: ItemPath?
    let target: ItemPath?
    let before: RowFingerprint?
    let after: RowFingerprint?
    var item: Item?

    var isContentChanged: Bool { before?.content != after?.content }
    var touchedRow: TouchedRow {
      TouchedRow(source: source, target: target, isContentChanged: isContentChanged)
    }
  }

  private func assemble(
    _ candidates: [Candidate], sections: SectionCorrespondence, after: PlanContents
  ) throws -> PreparedChange<Item>? {
    var candidates = candidates
    // Rows that move without having changed were not read as items yet.
    let kinds = RowClassification(candidates.map(\.touchedRow), sections: sections)
    for position in kinds.moves + kinds.inserts + kinds.updates
    where candidates[position].item == nil {
      candidates[position].item = try reader.withRow(candidates[position].key) {
        try $0.item(format)
      }
    }
    var builder = ChangesetBuilder<Item.ID, Item>(
      sourceVersion: baseVersion, targetVersion: baseVersion + 1, sections: sections)
    var items: [RowKey: Item?] = [:]
    let snapshot = makeSnapshot(after, baseVersion + 1, node)
    for row in candidates {
      builder.rows.append(
        Transition(
          id: try id(of: row.key), source: row.source, target: row.target,
          isContentChanged: row.isContentChanged, before: row.before, after: row.after,
          payload: payload(of: row, in: snapshot)))
      if row.isContentChanged { items[row.key] = .some(row.item) }
    }
    builder.retitledSections = (0..<base.index.sectionCount).filter { source in
      sections.target(of: source).map {
        after.index.header(ofSection: $0) != base.index.header(ofSection: source)
      } ?? false
    }
    let changes = builder.build(old: { base.section($0) }, new: { after.section($0) })
    return changes.isEmpty && !hasNewFingerprints(candidates)
      ? nil : finish(.replaced(after), changes, items: items)
  }

  /// The row's item.
  ///
  /// A row that stays as it is was not read; its item is asked for only where this change is merged
  /// with a later one.
  private func payload(
    of row: Candidate, in snapshot: ResultsSnapshot<Item>
  ) -> ItemPayload<Item>? {
    if let item = row.item { return .value(item) }
    return row.target.map { target in .deferred { try snapshot.item(at: target) } }
  }

  /// Whether something has to be remembered although there is nothing to tell.
  private func hasNewFingerprints(_ candidates: [Candidate]) -> Bool {
    candidates.contains { $0.before != $0.after }
  }

  private func correspondence(
    to after: SectionedIndex, mayAllMove: Bool
  ) -> SectionCorrespondence {
    var deleted: [Int] = []
    var eligible: [IndexEdits.SectionShift] = []
    var survivors = Set<Int>()
    for source in 0..<base.index.sectionCount {
      let identity = base.index.header(ofSection: source).identity
      guard let target = after.sectionOrdinal(of: identity) else {
        deleted.append(source)
        continue
      }
      survivors.insert(target)
      if mayAllMove || after.order(ofSection: target) != base.index.order(ofSection: source) {
        eligible.append(IndexEdits.SectionShift(source: source, target: target))
      }
    }
    return SectionCorrespondence(
      oldCount: base.index.sectionCount, newCount: after.sectionCount, deleted: deleted,
      inserted: (0..<after.sectionCount).filter { !survivors.contains($0) }, eligible: eligible)
  }
}

extension PlanContents {
  func section(_ ordinal: Int) -> SectionState {
    SectionState(header: index.header(ofSection: ordinal), order: index.order(ofSection: ordinal))
  }
}
