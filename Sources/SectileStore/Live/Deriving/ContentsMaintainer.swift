import SectileCore

/// Works out how one plan's contents change, from rows read in the committing transaction.
///
/// Changes nothing itself.
///
/// There are two ways. *Incremental* reads the touched rows and finds their places among the rest:
/// O(c · log n) for c touched rows of n. *Rebuilding* reads everything and compares: O(n), with a
/// far smaller factor. Both yield the same changeset.
///
/// It refers to many things, is handed on to whoever needs it, and is gone with the transaction:
/// therefore it is neither copied nor an object.
struct ContentsMaintainer: ~Copyable {
  let reader: PlanReader
  let items: any ItemSink
  /// The contents before.
  let base: PlanContents
  /// What the rows of the base table were when the contents before were read.
  let past: RowsBefore
  /// What is known of the order of the contents before.
  let prefixes: SortPrefixes

  init(
    reader: PlanReader, items: any ItemSink, base: PlanContents, past: RowsBefore,
    prefixes: SortPrefixes = SortPrefixes()
  ) {
    self.reader = reader
    self.items = items
    self.base = base
    self.past = past
    self.prefixes = prefixes
  }

  var memory: RowMemory { reader.queries.memory }

  var keepsEmptySections: Bool { reader.queries.plan.section?.fixedSections != nil }

  /// Whether a section of the contents before has no rows.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  var hasEmptySection: Bool {
    (0..<base.index.sectionCount).contains { base.index.count(inSection: $0) == 0 }
  }

  func readItem(_ cursor: PlanCursor) throws -> Int {
    try items.readItem(cursor.statement, firstColumn: cursor.columns.item.lowerBound)
  }

  /// The section that a row belongs to; nil where there is no such section.
  ///
  /// - Parameters:
  ///   - cursor: Stands on the row.
  ///   - known: The ordinal of a section that it may well be.
  /// - Returns: The section.
  /// - Throws: Where the section's identity cannot be read.
  @inline(__always)
  func section(of cursor: PlanCursor, near known: Int?) throws -> SectionedIndex.Section? {
    if let known {
      let identity = cursor.identity
      if let section = base.index.section(known, where: { identity.holds($0) }) { return section }
    }
    guard let other = base.index.sectionOrdinal(of: try cursor.identityValue()) else { return nil }
    return base.index.section(other) { _ in true }
  }

  /// What became of a row's values since the contents before were read.
  struct Comparison {
    let isContentChanged: Bool
    let isOrderChanged: Bool
    let before: RowFingerprint?
    let after: RowFingerprint

    var isChanged: Bool { isContentChanged || isOrderChanged }
  }

  /// Compares the row a cursor stands on, with all its columns, with what it was before.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - handle: The row's handle in the contents before.
  ///   - cursor: Stands on the row.
  /// - Returns: The comparison; nil where nothing changed.
  func compare(_ key: RowKey, handle: Int32, _ cursor: PlanCursor) -> Comparison? {
    var content = Difference.unknown
    var order = Difference.unknown
    switch past.finding(key) {
    case nil:
      if past.mayLackRows, let known = base.content?[handle], known != RowDigest.unknown { break }
      content = .none
      if !memory.keepsOrder { order = .none }
    case (.image(let offset), let images)?:
      let (columns, statement) = (cursor.columns.item, cursor.statement.handle)
      let positions = past.positions
      if !memory.keepsOrder {
        let sort = memory.sortColumns
        return images.withImage(at: offset, beside: columns, of: statement) { image, item in
          Self.compare(image, at: positions, with: item, sortedBy: sort)
        }
      }
      content = images.withImage(at: offset, beside: columns, of: statement) { image, item in
        Difference(RowDigest.change(from: image, at: positions, to: item))
      }
    case (.absent, _)?, (.partial, _)?, (.lost, _)?, (.untouched, _)?: break
    }
    if case .unknown = content { content = Difference(base.content?[handle], cursor.contentDigest) }
    if case .unknown = order {
      // Where rows are sorted by what the item says, they keep their order as long as it says the
      // same.
      if memory.keepsOrder {
        order = Difference(base.order?[handle], cursor.orderDigest)
      } else {
        order = content.isChange ? .some(before: RowDigest.none, after: RowDigest.none) : .none
      }
    }
    guard content.isChange || order.isChange else { return nil }
    let contentAfter = content.after ?? cursor.contentDigest()
    let orderAfter = order.after ?? cursor.orderDigest()
    return Comparison(
      isContentChanged: content.isChange, isOrderChanged: order.isChange,
      before: before(content, contentAfter, order, orderAfter),
      after: RowFingerprint(content: contentAfter, order: orderAfter))
  }

  /// What is known of a row that is gone.
  func fingerprintBefore(_ key: RowKey, handle: Int32) -> RowFingerprint? {
    if case (.image(let offset), let images)? = past.finding(key), !memory.keepsOrder {
      return RowFingerprint(
        content: images.withImage(at: offset) { RowDigest.of($0, at: past.positions) },
        order: RowDigest.none)
    }
    guard let content = base.content?[handle], content != RowDigest.unknown else { return nil }
    return RowFingerprint(content: content, order: base.order?[handle] ?? RowDigest.none)
  }

  @inline(__always)
  private func before(
    _ content: Difference, _ contentAfter: UInt64, _ order: Difference, _ orderAfter: UInt64
  ) -> RowFingerprint? {
    guard let content = content.before(after: contentAfter),
      let order = order.before(after: orderAfter)
    else { return nil }
    return RowFingerprint(content: content, order: order)
  }

  /// Compares an item as it was with the item as it is, where it says what rows are sorted by.
  ///
  /// - Parameters:
  ///   - image: The columns before, in an order of their own.
  ///   - positions: Where the item's columns stand in the image.
  ///   - item: The item's columns.
  ///   - sort: Which of them rows are sorted by.
  /// - Returns: The comparison; nil where nothing changed.
  private static func compare(
    _ image: UnsafeBufferPointer<RawColumn>, at positions: [Int],
    with item: UnsafeBufferPointer<RawColumn>, sortedBy sort: [Int]
  ) -> Comparison? {
    guard let content = RowDigest.change(from: image, at: positions, to: item) else { return nil }
    let keepsOrder = sort.allSatisfy { image[positions[$0]].isIdentical(to: item[$0]) }
    return Comparison(
      isContentChanged: true, isOrderChanged: !keepsOrder,
      before: RowFingerprint(content: content.before, order: RowDigest.none),
      after: RowFingerprint(content: content.after, order: RowDigest.none))
  }
}

extension ContentsMaintainer {
  /// About how many rows rebuilding reads: those of the contents and before them, and where no
  /// index leads to them all rows of the table.
  ///
  /// - Parameter touched: How many rows were touched; where they are few, nobody asks how large the
  ///   table is.
  /// - Returns: The number of rows.
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n*).
  func rebuildSize(touched: Int) throws -> Int {
    // SQLite steps over the rows before a window.
    let (sum, overflows) = base.count.addingReportingOverflow(reader.queries.plan.offset)
    let count = base.isEmpty || overflows ? base.count : sum
    guard reader.queries.scansTable,
      MaintenanceCost.prefersRebuild(touched: touched, of: count)
    else { return count }
    return max(count, try reader.tableSize())
  }
}

/// Whether something changed, and its digests as far as they were needed to find out.
private enum Difference {
  case unknown
  case none
  case some(before: UInt64?, after: UInt64?)

  /// Takes the digests of what changed; nil where nothing did.
  init(_ change: (before: UInt64, after: UInt64)?) {
    self = change.map { .some(before: $0.before, after: $0.after) } ?? .none
  }

  /// Compares by digests; where there is none from before, the row counts as changed.
  init(_ before: UInt64?, _ after: () -> UInt64) {
    let before = before == RowDigest.unknown ? nil : before
    let after = after()
    self = before == after ? .none : .some(before: before, after: after)
  }

  var isChange: Bool { if case .none = self { false } else { true } }

  var after: UInt64? { if case .some(_, let after) = self { after } else { nil } }

  func before(after: UInt64) -> UInt64? {
    if case .some(let before, _) = self { before } else { after }
  }
}

/// When rebuilding is cheaper than finding the place of each row that leaves its own.
///
/// Measured on a hundred thousand rows in memory: the two meet at about five percent, whether an
/// index finds places or not. Without one, a place takes a look-up for each halving of the list,
/// and a rebuild has to sort.
enum MaintenanceCost {
  static let rebuildFraction = 0.05
  /// Below this many touched rows, lists are too short for a difference to matter.
  static let alwaysIncremental = 48
  /// So many of the touched rows are asked whether they leave their places.
  static let sampleCount = 64

  /// Whether so many touched rows are too many to look up one by one.
  ///
  /// - Parameters:
  ///   - touched: How many rows were touched.
  ///   - count: How many rows are read to rebuild.
  /// - Returns: True if rebuilding is cheaper.
  static func prefersRebuild(touched: Int, of count: Int) -> Bool {
    if InternalChecks.isOn { return touched > InternalChecks.alwaysIncremental }
    return touched > alwaysIncremental && Double(touched) > Double(count) * rebuildFraction
  }
}
