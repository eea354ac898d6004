import SectileCore

// Contents of a first load, which grow from nothing to a first batch, and from there to everything.
extension PlanContents {
  /// Reads the keys of all rows, their sections, and the digests that have to be kept.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: The contents, without their aggregates.
  /// - Throws: What reading throws; `duplicateKey` where two rows have one key.
  static func listed(in context: borrowing DerivationContext) throws -> PlanContents {
    let plan = context.reader.queries.plan
    // Whoever walks the inserts of a first load cannot be told of a key of the wrong type.
    var list = try KeyListing.read(checksIDs: true, in: context)
    let finished = list.keys.finish()
    if let duplicate = finished.duplicate {
      throw StoreError.duplicateKey(table: plan.table, key: duplicate)
    }
    if let handles = finished.handles { list.index.renumberRows(handles) }
    var contents = PlanContents()
    contents.keys = finished.keys
    contents.index = try list.index.finish(plan)
    contents.content = context.base.content
    if context.memory.keepsContent {
      contents.content = DigestTable(list.content, handles: finished.handles)
    }
    if context.memory.keepsOrder {
      contents.order = DigestTable(list.order, handles: finished.handles)
    }
    return contents
  }

  /// Returns the change from the contents before, which are the beginning of these, without writing
  /// down a row: inserts are looked up in the new contents when somebody walks them.
  ///
  /// - Parameters:
  ///   - rows: Rows whose items were read.
  ///   - context: Knows the contents before.
  /// - Returns: The change; nil where nothing is new.
  func growth(
    reading rows: [PlanTransition], in context: borrowing DerivationContext
  ) -> PlanChange? {
    let base = context.base
    let sectionCount = base.index.sectionCount
    let isSame =
      count == base.count && index.sectionCount == sectionCount
      && base.keepsDigests(like: self) && base.aggregates == aggregates
    guard !isSame else { return nil }
    let growth = PlanChange.Growth(
      rowCount: base.count, sectionCount: sectionCount,
      contentsUpdate: ContentsUpdate(from: base.aggregates, to: aggregates))
    return PlanChange(.grown(self, from: growth, read: rows), items: context.items)
  }

  /// Whether contents before are the beginning of these.
  func begins(with base: PlanContents) -> Bool {
    guard count >= base.count else { return false }
    for section in 0..<base.index.sectionCount {
      guard section < index.sectionCount, base.section(section) == self.section(section)
      else { return false }
    }
    return (0..<base.count).allSatisfy { rank in
      base.keys.key(of: base.index.handle(atRank: rank))
        == keys.key(of: index.handle(atRank: rank))
        && index.path(atRank: rank) == base.index.path(atRank: rank)
    }
  }

  /// Returns the first rows, with the sections up to the last of them.
  func prefix(_ count: Int) -> PlanContents {
    var batch = PlanContents()
    batch.content = content.map { _ in DigestTable() }
    batch.order = order.map { _ in DigestTable() }
    var builder = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
    var remaining = count
    for section in 0..<index.sectionCount where remaining > 0 {
      let state = self.section(section)
      builder.appendSection(state.header, order: state.order ?? 0)
      for handle in index.handles(inSection: section).prefix(remaining) {
        let key = keys.key(of: handle)
        let copy = batch.keys.insert(key).handle
        builder.appendRow(copy)
        if let digest = content?[handle] { batch.content?[copy] = digest }
        if let digest = order?[handle] { batch.order?[copy] = digest }
        remaining -= 1
      }
    }
    batch.index = builder.finish()
    return batch
  }
}
