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
    /// All rows of a first load, after the first batch, and what is known of them.
    case firstLoad(PlanContents?)
  }

  /// A row that is new or may have changed, as it was met while reading.
  private struct Met {
    let key: RowKey
    let handle: Int32
    let isNew: Bool
    /// What changed; nil for a row that is new, and for one that was written without effect.
    var comparison: Comparison?
    var after: RowFingerprint?
    var item: Int?

    var isContentChanged: Bool { isNew || comparison?.isContentChanged == true }

    func transition(from source: ItemPath?, to target: ItemPath) -> PlanTransition {
      PlanTransition(
        key: key, source: source, target: target, isContentChanged: isContentChanged,
        before: comparison.map { $0.before } ?? (isNew ? nil : after), after: after, item: item)
    }
  }

  /// The positions of the rows that were met, by their handles.
  private struct MetPositions {
    private var positions: ContiguousArray<Int32>

    init(_ rows: [Met], handleCount: Int) {
      positions = ContiguousArray(repeating: -1, count: handleCount)
      for (position, row) in rows.enumerated() { positions[Int(row.handle)] = Int32(position) }
    }

    subscript(handle: Int32) -> Int? {
      guard handle < positions.count, positions[Int(handle)] >= 0 else { return nil }
      return Int(positions[Int(handle)])
    }
  }

  /// In which sections after a change the rows would be that were not met, if they kept their own.
  ///
  /// Noted on a walk: asking the contents before for each row's place would take longer than
  /// reading it.
  private struct UntouchedSections {
    private let targets: [Int32]
    private var sections: ContiguousArray<Int32>

    init(of base: SectionedIndex, _ correspondence: SectionCorrespondence, handleCount: Int) {
      targets = (0..<base.sectionCount).map { Int32(correspondence.target(of: $0) ?? -1) }
      sections = ContiguousArray(repeating: -1, count: handleCount)
    }

    mutating func insert(_ handle: Int32, _ source: Int) {
      sections[Int(handle)] = targets[source]
    }

    /// Whether a row is in the section that its own has become.
    func contains(_ handle: Int32, _ target: Int) -> Bool { sections[Int(handle)] == target }
  }

  /// Everything that was read, next to what is different from before.
  private struct Reading {
    var contents: PlanContents
    var met: [Met] = []
    var seen = SeenHandles()
    var isComplete = true
  }

  /// What reading came to.
  struct Rebuilt {
    /// The change from the contents before; nil where there is none.
    var change: PlanChange?
    /// Whether the contents after are all there is.
    var isComplete = true
    /// All there is, where it had to be read for the first batch.
    var allContents: PlanContents?
  }

  /// Reads all rows and returns the change from the contents before.
  ///
  /// - Throws: What reading throws; `sectionOrderAmbiguous` and `duplicateKey` where the rows
  ///   contradict the plan.
  func rebuild(_ occasion: Occasion) throws -> Rebuilt {
    InternalChecks.checkIsOneState(reader.db)
    switch occasion {
    case .firstBatch(let count) where reader.queries.aggregates != nil:
      // They are those of all rows: there is no first batch without the others.
      let all = try aggregating(readKeys())
      return Rebuilt(change: growth(to: all, try readFirstRows(count, of: all, shownIn: all)))
    case .commit:
      return Rebuilt(change: try difference(to: readAll(readsManyItems: false), mayAllMove: false))
    case .newRequest:
      return Rebuilt(change: try difference(to: readAll(readsManyItems: true), mayAllMove: true))
    case .firstBatch(let count):
      // Where SQLite has to sort, it does so once.
      if reader.queries.hasToSort { return try sortedBatch(count) }
      let reading = try read(limit: count)
      return Rebuilt(
        change: growth(to: reading.contents, arrivals(reading)), isComplete: reading.isComplete)
    case .firstLoad(let all):
      if past.isEmpty {
        let contents = try all ?? readKeys()
        if isPrefix(of: contents) {
          return Rebuilt(change: growth(to: try aggregating(contents), []))
        }
      }
      // The first batch is out of date.
      return Rebuilt(change: try difference(to: readAll(readsManyItems: true), mayAllMove: false))
    }
  }

  // MARK: Reading

  /// Reads all rows, and compares those that may have changed.
  ///
  /// - Parameter readsManyItems: Whether many rows may be new that were not touched.
  /// - Returns: The rows, and those that may be different.
  /// - Throws: See ``rebuild(_:)``.
  private func readAll(readsManyItems: Bool) throws -> Reading {
    if !readsManyItems, !past.hasAllRows, let reading = try readByDigests() { return reading }
    let readsAllColumns =
      !past.hasAllRows || readsManyItems || reader.queries.showsUntouchedRows
      || past.touchedCount * 4 > base.count
    var reading = readsAllColumns ? try read(limit: .max) : try readKeysAgain()
    forgetUnseen(in: &reading)
    if !readsAllColumns { try lookUpTouchedRows(&reading) }
    return reading
  }

  /// Takes the keys of rows that are gone out of what was read.
  private func forgetUnseen(in reading: inout Reading) {
    for handle in base.index.handles(in: 0..<base.count) where !reading.seen.contains(handle) {
      reading.contents.keys.remove(handle)
    }
  }

  /// Reads the keys of all rows in order, and takes digests of the rows as they stand in the table:
  /// what others have changed is looked up.
  ///
  /// A first load reads the same. Read in their order by way of an index, all columns would have to
  /// be looked up row by row, and where there is none SQLite would have to sort them.
  ///
  /// - Returns: The rows, and those that are different; nil where there are no digests to compare
  ///   with, and where so many rows are different that reading all of them is less work.
  /// - Throws: See ``rebuild(_:)``.
  private func readByDigests() throws -> Reading? {
    guard !memory.keepsContent, !reader.queries.showsUntouchedRows, let known = base.content
    else { return nil }
    var reading = try readKeysAgain()
    forgetUnseen(in: &reading)
    var isMet = SeenHandles()
    for row in reading.met { _ = isMet.insert(row.handle) }
    let limit = max(MaintenanceCost.alwaysIncremental, base.count / 4)
    try reader.forEachBaseRow { key, digest in
      guard reading.met.count <= limit, let handle = reading.contents.keys.handle(of: key),
        known[handle] != digest(), isMet.insert(handle)
      else { return }
      reading.met.append(Met(key: key, handle: handle, isNew: false))
    }
    guard reading.met.count <= limit else { return nil }
    try lookUpTouchedRows(&reading)
    return reading
  }

  /// A reading of nothing yet.
  private func emptyReading() -> Reading {
    var reading = Reading(contents: base)
    if memory.keepsContent, base.content == nil { reading.contents.content = DigestTable() }
    if memory.keepsOrder != (base.order != nil) {
      reading.contents.order = memory.keepsOrder ? DigestTable() : nil
    }
    return reading
  }

  /// Reads the keys of all rows; met are the rows that are new, or have other digests than before.
  private func readKeysAgain() throws -> Reading {
    var list = try listKeys(checksIDs: false)
    if let key = list.keys.duplicate {
      throw StoreError.duplicateKey(table: reader.queries.plan.table, key: key)
    }
    var reading = emptyReading()
    list.index.renumberRows(try handles(of: list, into: &reading))
    reading.contents.index = try list.index.finish(reader.queries.plan)
    return reading
  }

  /// Takes note of the rows of a list, and returns their handles.
  private func handles(
    of list: KeyListing, into reading: inout Reading
  ) throws -> ContiguousArray<Int32> {
    // Digests that are not of the list stay as they are, where no row is new.
    if !memory.keepsContent, !memory.keepsOrder, let known = list.keys.handles(in: base.keys),
      reading.seen.insert(all: known, below: base.keys.capacity)
    {
      return known
    }
    reading.seen = SeenHandles()
    var handles = ContiguousArray<Int32>()
    handles.reserveCapacity(list.keys.count)
    try list.keys.forEach { key in
      let (handle, isNew) = reading.contents.keys.insert(key)
      guard reading.seen.insert(handle) else {
        throw StoreError.duplicateKey(table: reader.queries.plan.table, key: key)
      }
      if takeDigests(of: list, at: handles.count, handle, isNew: isNew, into: &reading) {
        reading.met.append(Met(key: key, handle: handle, isNew: isNew))
      }
      handles.append(handle)
    }
    return handles
  }

  /// Keeps the digests of a listed row.
  ///
  /// - Returns: Whether the row is new, or has other digests than before.
  private func takeDigests(
    of list: KeyListing, at position: Int, _ handle: Int32, isNew: Bool,
    into reading: inout Reading
  ) -> Bool {
    var isOther = isNew
    if memory.keepsContent {
      isOther = isOther || base.content?[handle] != list.content[position]
      reading.contents.content?[handle] = list.content[position]
    } else if isNew, reading.contents.content != nil {
      reading.contents.content?[handle] = RowDigest.unknown
    }
    if memory.keepsOrder {
      isOther = isOther || base.order?[handle] != list.order[position]
      reading.contents.order?[handle] = list.order[position]
    }
    return isOther
  }

  /// Reads all columns of rows in order, at most so many.
  private func read(limit: Int) throws -> Reading {
    var reading = emptyReading()
    var builder = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
    var sections = SectionWalk(of: reader)
    var count = 0
    try reader.forEachRow(reader.queries.rows) { cursor in
      guard count < limit else {
        reading.isComplete = false
        return false
      }
      count += 1
      if let section = try sections.advance(to: cursor) { builder.append(section) }
      builder.appendRow(try read(cursor, into: &reading))
      return true
    }
    if reading.isComplete { builder.appendEmpty(try sections.remainingFixed()) }
    reading.contents.index = try builder.finish(reader.queries.plan)
    return reading
  }

  private func read(_ cursor: PlanCursor, into reading: inout Reading) throws -> Int32 {
    let key = try cursor.key()
    let (handle, isNew) = reading.contents.keys.insert(key)
    guard reading.seen.insert(handle) else {
      throw StoreError.duplicateKey(table: reader.queries.plan.table, key: key)
    }
    try look(at: key, handle, isNew: isNew, cursor, into: &reading)
    return handle
  }

  /// Compares a row all of whose columns were read.
  private func look(
    at key: RowKey, _ handle: Int32, isNew: Bool, _ cursor: PlanCursor,
    into reading: inout Reading
  ) throws {
    if isNew {
      let digests = cursor.fingerprint()
      remember(digests, handle, in: &reading)
      reading.met.append(
        Met(
          key: key, handle: handle, isNew: true, comparison: nil, after: digests,
          item: try readItem(cursor)))
      return
    }
    // Where not everything is known of the past, every row may have been touched.
    if !memory.keepsOrder, !past.mayLackRows, past.finding(key) == nil { return }
    let comparison = compare(key, handle: handle, cursor)
    // A digest that was not taken yet is taken now.
    if reading.contents.content?[handle] == RowDigest.unknown || comparison != nil {
      let digests = comparison?.after ?? cursor.fingerprint()
      remember(digests, handle, in: &reading)
    }
    guard let comparison else {
      reading.met.append(Met(key: key, handle: handle, isNew: false))
      return
    }
    reading.met.append(
      Met(
        key: key, handle: handle, isNew: false, comparison: comparison, after: comparison.after,
        item: comparison.isContentChanged ? try readItem(cursor) : nil))
  }

  private func remember(
    _ digests: RowFingerprint, _ handle: Int32, in reading: inout Reading
  ) {
    reading.contents.content?[handle] = digests.content
    reading.contents.order?[handle] = digests.order
  }

  /// Reads the rows that were touched, or met as new.
  private func lookUpTouchedRows(_ reading: inout Reading) throws {
    var isMet = SeenHandles()
    for row in reading.met { _ = isMet.insert(row.handle) }
    past.forEachTouchedKey { key in
      guard let handle = reading.contents.keys.handle(of: key), isMet.insert(handle) else { return }
      reading.met.append(Met(key: key, handle: handle, isNew: false))
    }
    // Neighbours are on one page of the table.
    reading.met.sort { $0.key.comesBefore($1.key) }
    try reader.forEachRow(of: reading.met.map(\.key)) { position, cursor in
      var row = reading.met[position]
      if !row.isNew { row.comparison = compare(row.key, handle: row.handle, cursor) }
      let after = row.comparison?.after ?? cursor.fingerprint()
      row.after = after
      if row.isContentChanged { row.item = try readItem(cursor) }
      remember(after, row.handle, in: &reading)
      reading.met[position] = row
    }
  }

  private func arrivals(_ reading: Reading) -> [PlanTransition] {
    reading.met.filter(\.isNew).map { row in
      PlanTransition(
        key: row.key, source: nil, target: reading.contents.index.path(of: row.handle),
        isContentChanged: true, after: row.after, item: row.item)
    }
  }

  // MARK: Comparing

  /// Returns the difference between the contents before and what was read.
  private func difference(to reading: Reading, mayAllMove: Bool) throws -> PlanChange? {
    let after = try aggregating(reading.contents)
    let met = MetPositions(reading.met, handleCount: after.keys.capacity)
    let mayAllMove =
      mayAllMove || hasUnseenMoves(to: after.index) { met[$0] != nil }
    let sections = correspondence(to: after.index, mayAllMove: mayAllMove)
    var rows: [PlanTransition] = []
    rows.reserveCapacity(reading.met.count)
    var sources = [ItemPath?](repeating: nil, count: reading.met.count)
    var untouchedSections =
      mayAllMove || !mayChangeSectionUntouched
      ? nil : UntouchedSections(of: base.index, sections, handleCount: after.keys.capacity)
    for (handle, source) in RowWalk(base.index) {
      if let position = met[handle] {
        sources[position] = source
      } else if !reading.seen.contains(handle) {
        rows.append(departure(handle, source))
      } else {
        untouchedSections?.insert(handle, source.section)
      }
    }
    func mayMove(from source: ItemPath?, to target: ItemPath) -> Bool {
      mayAllMove || source.flatMap { sections.target(of: $0.section) } != target.section
    }
    for (handle, target) in RowWalk(after.index) {
      if let position = met[handle] {
        let (row, source) = (reading.met[position], sources[position])
        if row.comparison != nil || mayMove(from: source, to: target) {
          rows.append(row.transition(from: source, to: target))
        }
      } else if mayAllMove || untouchedSections?.contains(handle, target.section) == false,
        let source = base.index.path(of: handle)
      {
        rows.append(untouched(after.keys.key(of: handle), handle, source, target))
      }
    }
    return try assemble(rows, sections: sections, after: after)
  }

  /// A row that is not there any more.
  private func departure(_ handle: Int32, _ source: ItemPath) -> PlanTransition {
    let key = base.keys.key(of: handle)
    return PlanTransition(
      key: key, source: source, target: nil, isContentChanged: true,
      before: fingerprintBefore(key, handle: handle), after: nil, item: nil)
  }

  /// A row that was not met, and is elsewhere or may move.
  private func untouched(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ target: ItemPath
  ) -> PlanTransition {
    let digests = fingerprintBefore(key, handle: handle)
    return PlanTransition(
      key: key, source: source, target: target, isContentChanged: false,
      before: digests, after: digests, item: nil)
  }

  /// Whether a row that nobody wrote may belong to another section now.
  private var mayChangeSectionUntouched: Bool {
    let plan = reader.queries.plan
    return plan.section != nil
      && (!past.hasAllRows || !plan.joins.isEmpty || !plan.dependencies.isEmpty
        || reader.queries.changesUnwrittenRows)
  }

  private func assemble(
    _ rows: consuming [PlanTransition], sections: SectionCorrespondence, after: PlanContents
  ) throws -> PlanChange? {
    let kinds = RowClassification(rows.map(\.touchedRow), sections: sections)
    try readMissingItems(of: &rows, kinds)
    let retitled = (0..<base.index.sectionCount).filter { source in
      sections.target(of: source).map {
        after.index.header(ofSection: $0) != base.index.header(ofSection: source)
      } ?? false
    }
    let sectionChanges = SectionChanges(
      sections, retitled: retitled, old: { base.section($0) }, new: { after.section($0) })
    // Something may have to be remembered although there is nothing to tell.
    let isSame =
      sectionChanges.isEmpty && base.keepsDigests(like: after)
      && base.aggregates == after.aggregates
      && rows.allSatisfy {
        $0.source == $0.target && !$0.isContentChanged && $0.before == $0.after
      }
    guard !isSame else { return nil }
    let changes = PlanChange.Rows(
      sectionChanges: sectionChanges, rows: rows, kinds: kinds,
      contentsUpdate: ContentsUpdate(from: base.aggregates, to: after.aggregates))
    return PlanChange(.replaced(after, changes), items: items)
  }

  /// Reads the items of rows that move without having changed.
  private func readMissingItems(
    of rows: inout [PlanTransition], _ kinds: RowClassification
  ) throws {
    // In the order of their keys, each once: neighbours are read together.
    var missing = [kinds.moves, kinds.inserts, kinds.updates].joined()
      .filter { rows[$0].item == nil }
    missing.sort { rows[$0].key.comesBefore(rows[$1].key) }
    missing = missing.enumerated().filter { $0 == 0 || missing[$0 - 1] != $1 }.map(\.element)
    try reader.forEachRow(of: missing.map { rows[$0].key }) { position, cursor in
      rows[missing[position]].item = try readItem(cursor)
    }
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
