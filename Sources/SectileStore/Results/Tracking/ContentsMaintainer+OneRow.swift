import SectileCore

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
  func oneRowChange(_ key: RowKey) throws -> OneRowOutcome {
    guard reader.queries.layout.title == nil else { return .needsMore }
    let handle = base.keys.handle(of: key)
    let source = handle.flatMap { base.index.path(of: $0) }
    var outcome: OneRowOutcome?
    try reader.withRow(key) { cursor in
      outcome =
        if let handle, let source {
          try changedRow(key, handle, source, cursor)
        } else {
          try arrivedRow(key, cursor)
        }
    }
    if let outcome { return outcome }
    guard let handle, let source else { return .unchanged }
    return goneRow(key, handle, source)
  }

  private func changedRow(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ cursor: PlanCursor
  ) throws -> OneRowOutcome {
    let comparison = compare(key, handle: handle, cursor)
    let section = try sectionOrdinal(cursor, near: source.section)
    guard let section else { return .needsMore }
    let isDisplaced = section != source.section || comparison?.isOrderChanged == true
    guard comparison != nil || isDisplaced else { return .unchanged }
    guard section == source.section || !isAlone(source) else { return .needsMore }
    let target = isDisplaced ? try place(cursor, in: section, leaving: source) : source
    let digests = comparison?.after ?? cursor.fingerprint()
    let row = PlanTransition(
      key: key, source: source, target: target,
      isContentChanged: comparison?.isContentChanged ?? false,
      before: comparison.map { $0.before } ?? digests, after: digests,
      item: try readItem(cursor))
    return .change(change(row, isDisplaced: isDisplaced))
  }

  private func arrivedRow(_ key: RowKey, _ cursor: PlanCursor) throws -> OneRowOutcome {
    guard let section = try sectionOrdinal(cursor, near: nil) else { return .needsMore }
    let target = try place(cursor, in: section, leaving: nil)
    let row = PlanTransition(
      key: key, source: nil, target: target, isContentChanged: true,
      after: cursor.fingerprint(),
      item: try readItem(cursor))
    return .change(change(row, isDisplaced: true))
  }

  private func goneRow(_ key: RowKey, _ handle: Int32, _ source: ItemPath) -> OneRowOutcome {
    guard !isAlone(source) else { return .needsMore }
    let row = PlanTransition(
      key: key, source: source, target: nil, isContentChanged: false,
      before: fingerprintBefore(key, handle: handle))
    return .change(change(row, isDisplaced: true))
  }

  /// The ordinal of the row's section, if there is such a section and it stands where the row says.
  private func sectionOrdinal(_ cursor: PlanCursor, near known: Int?) throws -> Int? {
    guard cursor.columns.identity != nil else { return base.index.sectionCount == 0 ? nil : 0 }
    let identity = try cursor.identityValue()
    let ordinal: Int? =
      if let known, base.index.isSection(known, identity) {
        known
      } else {
        base.index.sectionOrdinal(of: identity)
      }
    guard let ordinal, base.index.order(ofSection: ordinal) == cursor.sectionOrderDigest() else {
      return nil
    }
    return ordinal
  }

  /// The path of the row in a section once it has left its old place.
  private func place(
    _ cursor: PlanCursor, in section: Int, leaving source: ItemPath?
  ) throws -> ItemPath {
    let search = PositionSearch(self, removedRow: source.map { base.index.rank(at: $0) })
    let ranks = base.index.ranks(ofSection: section)
    let rank = try cursor.withOrdering { try search.rank(for: $0, among: ranks) }
    let item = rank - ranks.lowerBound
    let isBehind = source.map { $0.section == section && $0.item < item } ?? false
    return ItemPath(section: section, item: item - (isBehind ? 1 : 0))
  }

  /// Whether a row is the only one of its section.
  private func isAlone(_ path: ItemPath) -> Bool {
    base.index.count(inSection: path.section) == 1
  }

  private func change(_ row: PlanTransition, isDisplaced: Bool) -> PlanChange {
    let edit = ContentsEdits.OneRow(
      key: row.key, removed: isDisplaced ? row.source : nil,
      inserted: isDisplaced ? row.target : nil,
      digests: row.target == nil
        ? nil
        : row.after ?? RowFingerprint(content: RowDigest.unknown, order: RowDigest.unknown))
    return PlanChange(
      contents: .oneRow(edit), sectionChanges: .none, rows: [row],
      kinds: RowClassification(of: row.touchedRow))
  }
}
