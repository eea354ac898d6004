import SectileCore

/// The change that one touched row makes inside sections that exist and stay.
///
/// Most commits are of this kind. It is the change of ``SomeRowsDerivation``, with little of its
/// work.
struct OneRowDerivation: Derivation {
  /// What came of a touched row that was looked at by itself.
  enum Outcome {
    case unchanged
    case change(PlanChange)
    /// Sections come or go, or are called otherwise: see ``SomeRowsDerivation``.
    case needsMore
  }

  /// Where a row was before.
  private struct Origin {
    let handle: Int32
    let rank: Int
    let path: ItemPath
  }

  let key: RowKey

  @inline(__always)
  func change(in context: borrowing DerivationContext) throws -> Outcome {
    guard context.reader.queries.layout.title == nil else { return .needsMore }
    let origin = origin(in: context)
    var outcome: Outcome?
    try context.reader.withRow(key) { cursor in
      outcome =
        if let origin {
          try changedRow(origin, cursor, in: context)
        } else {
          try arrivedRow(cursor, in: context)
        }
    }
    return outcome ?? origin.map { goneRow($0, in: context) } ?? .unchanged
  }

  @inline(__always)
  private func origin(in context: borrowing DerivationContext) -> Origin? {
    guard let handle = context.base.keys.handle(of: key),
      let rank = context.base.index.rank(of: handle)
    else { return nil }
    return Origin(handle: handle, rank: rank, path: context.base.index.path(atRank: rank))
  }

  @inline(__always)
  private func changedRow(
    _ origin: Origin, _ cursor: PlanCursor, in context: borrowing DerivationContext
  ) throws -> Outcome {
    let source = origin.path
    let comparison = context.compare(key, handle: origin.handle, cursor)
    guard let section = try standingSection(of: cursor, near: source.section, in: context) else {
      return .needsMore
    }
    let isLeaving = section.ordinal != source.section
    let isDisplaced = isLeaving || comparison?.isOrderChanged == true
    guard comparison != nil || isDisplaced else { return .unchanged }
    guard !isLeaving || !isAlone(source, in: context) else { return .needsMore }
    let target =
      isDisplaced ? try place(cursor, into: section, leaving: origin, in: context) : source
    let digests = comparison?.after ?? cursor.fingerprint()
    let row = PlanTransition(
      key: key, source: source, target: target,
      isContentChanged: comparison?.isContentChanged ?? false,
      before: comparison.map { $0.before } ?? digests, after: digests,
      item: try context.readItem(cursor))
    return change(row, context.items)
  }

  private func arrivedRow(
    _ cursor: PlanCursor, in context: borrowing DerivationContext
  ) throws -> Outcome {
    guard let section = try standingSection(of: cursor, near: nil, in: context) else {
      return .needsMore
    }
    let target = try place(cursor, into: section, leaving: nil, in: context)
    let row = PlanTransition(
      key: key, source: nil, target: target, isContentChanged: true,
      after: cursor.fingerprint(),
      item: try context.readItem(cursor))
    return change(row, context.items)
  }

  private func goneRow(_ origin: Origin, in context: borrowing DerivationContext) -> Outcome {
    guard !isAlone(origin.path, in: context) else { return .needsMore }
    let row = PlanTransition(
      key: key, source: origin.path, target: nil, isContentChanged: false,
      before: context.fingerprintBefore(key, handle: origin.handle))
    return change(row, context.items)
  }

  /// The row's section, if there is such a section and it stands where the row says.
  @inline(__always)
  private func standingSection(
    of cursor: PlanCursor, near candidate: Int?, in context: borrowing DerivationContext
  ) throws -> SectionedIndex.Section? {
    guard let section = try context.section(of: cursor, near: candidate),
      section.order == cursor.sectionOrderDigest()
    else { return nil }
    return section
  }

  /// The path of the row in a section once it has left its old place.
  @inline(__always)
  private func place(
    _ cursor: PlanCursor, into section: SectionedIndex.Section, leaving origin: Origin?,
    in context: borrowing DerivationContext
  ) throws -> ItemPath {
    let search = PositionSearch(removedRow: origin?.rank)
    let ordinal = section.ordinal
    let old = origin.flatMap { $0.path.section == ordinal ? $0 : nil }
    let start =
      old.map { $0.rank - $0.path.item } ?? context.base.index.startRank(ofSection: ordinal)
    let ranks = start..<(start + section.count)
    let rank = try cursor.withOrdering {
      try search.rank(for: key, $0, among: ranks, in: context)
    }
    let isBehind = old.map { $0.rank < rank } ?? false
    return ItemPath(section: ordinal, item: rank - start - (isBehind ? 1 : 0))
  }

  /// Whether a row is the only one of its section.
  private func isAlone(_ path: ItemPath, in context: borrowing DerivationContext) -> Bool {
    context.base.index.count(inSection: path.section) == 1
  }

  private func change(_ row: PlanTransition, _ items: any ItemSink) -> Outcome {
    .change(PlanChange(.oneRow(row), items: items))
  }
}
