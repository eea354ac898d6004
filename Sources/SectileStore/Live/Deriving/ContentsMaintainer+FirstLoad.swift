import SectileCore

extension ContentsMaintainer {
  // MARK: Reading

  /// Reads the keys of all rows, their sections, and the digests that have to be kept.
  func readKeys() throws -> PlanContents {
    // Whoever walks the inserts of a first load cannot be told of a key of the wrong type.
    var list = try listKeys(checksIDs: true)
    let finished = list.keys.finish()
    if let duplicate = finished.duplicate {
      throw StoreError.duplicateKey(table: reader.queries.plan.table, key: duplicate)
    }
    if let handles = finished.handles { list.index.renumberRows(handles) }
    var contents = PlanContents()
    contents.keys = finished.keys
    contents.index = try list.index.finish(reader.queries.plan)
    contents.content = base.content
    if memory.keepsContent {
      contents.content = DigestTable(list.content, handles: finished.handles)
    }
    if memory.keepsOrder { contents.order = DigestTable(list.order, handles: finished.handles) }
    return contents
  }

  // MARK: The first batch

  /// Reads the keys of all rows, and the items of the first.
  func sortedBatch(_ count: Int) throws -> Rebuilt {
    let all = try readKeys()
    let isComplete = all.count <= count
    let batch = isComplete ? all : prefix(of: all, count)
    let rows = try readFirstRows(count, of: all, shownIn: batch)
    return Rebuilt(
      change: growth(to: batch, rows), isComplete: isComplete,
      allContents: isComplete ? nil : all)
  }

  /// Reads the items of the first rows: an item that cannot be decoded fails the load, not whoever
  /// reads it later.
  ///
  /// - Parameters:
  ///   - count: How many, at most.
  ///   - all: All rows.
  ///   - shown: The contents after the load's first part, which begin as all rows do.
  /// - Returns: The rows.
  /// - Throws: What reading and decoding throw.
  func readFirstRows(
    _ count: Int, of all: PlanContents, shownIn shown: PlanContents
  ) throws -> [PlanTransition] {
    try (0..<min(count, all.count)).map { rank in
      let key = all.keys.key(of: all.index.handle(atRank: rank))
      return PlanTransition(
        key: key, source: nil, target: shown.index.path(atRank: rank), isContentChanged: true,
        item: try reader.withRow(key) { try readItem($0) })
    }
  }

  /// The first rows, with the sections up to the last of them.
  private func prefix(of all: PlanContents, _ count: Int) -> PlanContents {
    var batch = PlanContents()
    batch.content = all.content.map { _ in DigestTable() }
    batch.order = all.order.map { _ in DigestTable() }
    var index = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
    var remaining = count
    for section in 0..<all.index.sectionCount where remaining > 0 {
      let state = all.section(section)
      index.appendSection(state.header, order: state.order ?? 0)
      for handle in all.index.handles(inSection: section).prefix(remaining) {
        let key = all.keys.key(of: handle)
        let copy = batch.keys.insert(key).handle
        index.appendRow(copy)
        if let digest = all.content?[handle] { batch.content?[copy] = digest }
        if let digest = all.order?[handle] { batch.order?[copy] = digest }
        remaining -= 1
      }
    }
    batch.index = index.finish()
    return batch
  }

  // MARK: Growing

  /// Returns the change from a first batch to everything, or from nothing to a first batch, without
  /// writing down a row: inserts are looked up in the new contents when somebody walks them.
  ///
  /// - Parameters:
  ///   - after: The contents after.
  ///   - rows: Rows whose items were read.
  /// - Returns: The change; nil where nothing is new.
  func growth(to after: PlanContents, _ rows: [PlanTransition]) -> PlanChange? {
    let known = base.index.sectionCount
    let isSame =
      after.count == base.count && after.index.sectionCount == known
      && base.keepsDigests(like: after) && base.aggregates == after.aggregates
    guard !isSame else { return nil }
    let growth = PlanChange.Growth(
      rowCount: base.count, sectionCount: known,
      contentsUpdate: ContentsUpdate(from: base.aggregates, to: after.aggregates))
    return PlanChange(.grown(after, from: growth, read: rows), items: items)
  }

  /// Whether the contents before are the beginning of those after.
  func isPrefix(of after: PlanContents) -> Bool {
    guard after.count >= base.count else { return false }
    for section in 0..<base.index.sectionCount {
      guard section < after.index.sectionCount, base.section(section) == after.section(section)
      else { return false }
    }
    return (0..<base.count).allSatisfy { rank in
      base.keys.key(of: base.index.handle(atRank: rank))
        == after.keys.key(of: after.index.handle(atRank: rank))
        && after.index.path(atRank: rank) == base.index.path(atRank: rank)
    }
  }
}
