import SectileCore

/// The positions of the rows that were met, by their handles.
private struct MetPositions {
  private var positions: ContiguousArray<Int32>

  init(_ rows: [MetRow], handleCount: Int) {
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
/// Noted on a walk: asking the contents before for each row's place would take longer than reading
/// it.
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

// The difference between the contents before and what was read.
extension ReadContents {
  /// Returns the change from the contents before to what was read.
  ///
  /// - Parameters:
  ///   - mayAllMove: Whether any row may have moved, touched or not.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The change; nil where there is none.
  /// - Throws: What reading throws.
  func change(
    mayAllMove: Bool, in context: borrowing DerivationContext
  ) throws -> PlanChange? {
    let base = context.base.index
    let after = try contents.aggregated(by: context.reader)
    let positions = MetPositions(met, handleCount: after.keys.capacity)
    let mayAllMove =
      mayAllMove || hasUnseenMoves(to: after.index, in: context) { positions[$0] != nil }
    let sections = Self.correspondence(from: base, to: after.index, mayAllMove: mayAllMove)
    var rows: [PlanTransition] = []
    rows.reserveCapacity(met.count)
    var sources = [ItemPath?](repeating: nil, count: met.count)
    var untouchedSections =
      mayAllMove || !context.mayChangeSectionsUntouched
      ? nil : UntouchedSections(of: base, sections, handleCount: after.keys.capacity)
    for (handle, source) in RowWalk(base) {
      if let position = positions[handle] {
        sources[position] = source
      } else if !seen.contains(handle) {
        rows.append(context.departure(handle, source))
      } else {
        untouchedSections?.insert(handle, source.section)
      }
    }
    func mayMove(from source: ItemPath?, to target: ItemPath) -> Bool {
      mayAllMove || source.flatMap { sections.target(of: $0.section) } != target.section
    }
    for (handle, target) in RowWalk(after.index) {
      if let position = positions[handle] {
        let (row, source) = (met[position], sources[position])
        if row.comparison != nil || mayMove(from: source, to: target) {
          rows.append(row.transition(from: source, to: target))
        }
      } else if mayAllMove || untouchedSections?.contains(handle, target.section) == false,
        let source = base.path(of: handle)
      {
        rows.append(context.untouched(after.keys.key(of: handle), handle, source, target))
      }
    }
    return try Self.assemble(rows, sections: sections, after: after, in: context)
  }

  private static func assemble(
    _ rows: consuming [PlanTransition], sections: SectionCorrespondence, after: PlanContents,
    in context: borrowing DerivationContext
  ) throws -> PlanChange? {
    let base = context.base
    let kinds = RowClassification(rows.map(\.touchedRow), sections: sections)
    try readMissingItems(of: &rows, kinds, in: context)
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
    return PlanChange(.replaced(after, changes), items: context.items)
  }

  /// Reads the items of rows that move without having changed.
  private static func readMissingItems(
    of rows: inout [PlanTransition], _ kinds: RowClassification,
    in context: borrowing DerivationContext
  ) throws {
    // In the order of their keys, each once: neighbours are read together.
    var missing = [kinds.moves, kinds.inserts, kinds.updates].joined()
      .filter { rows[$0].item == nil }
    missing.sort { rows[$0].key.comesBefore(rows[$1].key) }
    missing = missing.enumerated().filter { $0 == 0 || missing[$0 - 1] != $1 }.map(\.element)
    try context.reader.forEachRow(of: missing.map { rows[$0].key }) { position, cursor in
      rows[missing[position]].item = try context.readItem(cursor)
    }
  }

  private static func correspondence(
    from base: SectionedIndex, to after: SectionedIndex, mayAllMove: Bool
  ) -> SectionCorrespondence {
    var deleted: [Int] = []
    var eligible: [IndexEdits.SectionShift] = []
    var survivors = Set<Int>()
    for source in 0..<base.sectionCount {
      let identity = base.header(ofSection: source).identity
      guard let target = after.sectionOrdinal(of: identity) else {
        deleted.append(source)
        continue
      }
      survivors.insert(target)
      if mayAllMove || after.order(ofSection: target) != base.order(ofSection: source) {
        eligible.append(IndexEdits.SectionShift(source: source, target: target))
      }
    }
    return SectionCorrespondence(
      oldCount: base.sectionCount, newCount: after.sectionCount, deleted: deleted,
      inserted: (0..<after.sectionCount).filter { !survivors.contains($0) }, eligible: eligible)
  }
}

extension MetRow {
  fileprivate func transition(from source: ItemPath?, to target: ItemPath) -> PlanTransition {
    PlanTransition(
      key: key, source: source, target: target, isContentChanged: isContentChanged,
      before: comparison.map { $0.before } ?? (isNew ? nil : after), after: after, item: item)
  }
}

extension DerivationContext {
  /// A row that is not there any more.
  fileprivate func departure(_ handle: Int32, _ source: ItemPath) -> PlanTransition {
    let key = base.keys.key(of: handle)
    return PlanTransition(
      key: key, source: source, target: nil, isContentChanged: true,
      before: fingerprintBefore(key, handle: handle), after: nil, item: nil)
  }

  /// A row that was not met, and is elsewhere or may move.
  fileprivate func untouched(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ target: ItemPath
  ) -> PlanTransition {
    let digests = fingerprintBefore(key, handle: handle)
    return PlanTransition(
      key: key, source: source, target: target, isContentChanged: false,
      before: digests, after: digests, item: nil)
  }

  /// Whether a row that nobody wrote may belong to another section now.
  fileprivate var mayChangeSectionsUntouched: Bool {
    let plan = reader.queries.plan
    return plan.section != nil
      && (!rowsBefore.hasAllRows || !plan.joins.isEmpty || !plan.dependencies.isEmpty
        || reader.queries.changesUnwrittenRows)
  }
}
