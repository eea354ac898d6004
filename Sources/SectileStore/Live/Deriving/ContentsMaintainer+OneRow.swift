import SectileCore

/// Where a row was before.
private struct Origin {
  let handle: Int32
  let rank: Int
  let path: ItemPath
}

extension ContentsMaintainer {
  /// What came of a touched row that was looked at by itself.
  enum OneRowOutcome {
    case unchanged
    case change(PlanChange)
    /// Sections come or go, or are called otherwise: see ``incrementalChange(touching:)``.
    case needsMore
  }

  /// Returns the change that one touched row makes inside sections that exist and stay.
  ///
  /// Most commits are of this kind. The result is that of ``incrementalChange(touching:)``, with
  /// little of its work.
  @inline(__always)
  func oneRowChange(_ key: RowKey) throws -> OneRowOutcome {
    guard reader.queries.layout.title == nil else { return .needsMore }
    let origin = origin(of: key)
    var outcome: OneRowOutcome?
    try reader.withRow(key) { cursor in
      outcome =
        if let origin {
          try changedRow(key, origin, cursor)
        } else {
          try arrivedRow(key, cursor)
        }
    }
    return outcome ?? origin.map { goneRow(key, $0) } ?? .unchanged
  }

  @inline(__always)
  private func origin(of key: RowKey) -> Origin? {
    guard let handle = base.keys.handle(of: key), let rank = base.index.rank(of: handle) else {
      return nil
    }
    return Origin(handle: handle, rank: rank, path: base.index.path(atRank: rank))
  }

  @inline(__always)
  private func changedRow(
    _ key: RowKey, _ origin: Origin, _ cursor: PlanCursor
  ) throws -> OneRowOutcome {
    let source = origin.path
    let comparison = compare(key, handle: origin.handle, cursor)
    guard let section = try standingSection(of: cursor, near: source.section) else {
      return .needsMore
    }
    let isLeaving = section.ordinal != source.section
    let isDisplaced = isLeaving || comparison?.isOrderChanged == true
    guard comparison != nil || isDisplaced else { return .unchanged }
    guard !isLeaving || !isAlone(source) else { return .needsMore }
    let target = isDisplaced ? try place(key, cursor, in: section, leaving: origin) : source
    let digests = comparison?.after ?? cursor.fingerprint()
    let row = PlanTransition(
      key: key, source: source, target: target,
      isContentChanged: comparison?.isContentChanged ?? false,
      before: comparison.map { $0.before } ?? digests, after: digests,
      item: try readItem(cursor))
    return change(row)
  }

  private func arrivedRow(_ key: RowKey, _ cursor: PlanCursor) throws -> OneRowOutcome {
    guard let section = try standingSection(of: cursor, near: nil) else { return .needsMore }
    let target = try place(key, cursor, in: section, leaving: nil)
    let row = PlanTransition(
      key: key, source: nil, target: target, isContentChanged: true,
      after: cursor.fingerprint(),
      item: try readItem(cursor))
    return change(row)
  }

  private func goneRow(_ key: RowKey, _ origin: Origin) -> OneRowOutcome {
    guard !isAlone(origin.path) else { return .needsMore }
    let row = PlanTransition(
      key: key, source: origin.path, target: nil, isContentChanged: false,
      before: fingerprintBefore(key, handle: origin.handle))
    return change(row)
  }

  /// The row's section, if there is such a section and it stands where the row says.
  @inline(__always)
  private func standingSection(
    of cursor: PlanCursor, near known: Int?
  ) throws -> SectionedIndex.Section? {
    guard let section = try section(of: cursor, near: known),
      section.order == cursor.sectionOrderDigest()
    else { return nil }
    return section
  }

  /// The path of the row in a section once it has left its old place.
  @inline(__always)
  private func place(
    _ key: RowKey, _ cursor: PlanCursor, in section: SectionedIndex.Section,
    leaving origin: Origin?
  ) throws -> ItemPath {
    let search = PositionSearch(removedRow: origin?.rank)
    let ordinal = section.ordinal
    let old = origin.flatMap { $0.path.section == ordinal ? $0 : nil }
    let start = old.map { $0.rank - $0.path.item } ?? base.index.startRank(ofSection: ordinal)
    let ranks = start..<(start + section.count)
    let rank = try cursor.withOrdering { try search.rank(for: key, $0, among: ranks, by: self) }
    let isBehind = old.map { $0.rank < rank } ?? false
    return ItemPath(section: ordinal, item: rank - start - (isBehind ? 1 : 0))
  }

  /// Whether a row is the only one of its section.
  private func isAlone(_ path: ItemPath) -> Bool {
    base.index.count(inSection: path.section) == 1
  }

  private func change(_ row: PlanTransition) -> OneRowOutcome {
    .change(PlanChange(.oneRow(row), items: items))
  }
}
