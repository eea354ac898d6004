import SectileCore

/// What became of a row's values since the contents before were read.
struct RowComparison {
  let isContentChanged: Bool
  let isOrderChanged: Bool
  let before: RowFingerprint?
  let after: RowFingerprint
}

extension DerivationContext {
  /// Compares the row a cursor stands on, with all its columns, with what it was before.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - handle: The row's handle in the contents before.
  ///   - cursor: Stands on the row.
  /// - Returns: The comparison; nil where nothing changed.
  func compare(_ key: RowKey, handle: Int32, _ cursor: PlanCursor) -> RowComparison? {
    var content = Difference.unknown
    var order = Difference.unknown
    switch rowsBefore.entry(of: key) {
    case nil:
      if rowsBefore.mayLackRows, let digest = base.content?[handle], digest != RowDigest.unknown {
        break
      }
      content = .none
      if !memory.keepsOrder { order = .none }
    case (.image(let offset), let preImages)?:
      let (columns, statement) = (cursor.columns.item, cursor.statement.handle)
      let positions = rowsBefore.positions
      if !memory.keepsOrder {
        let sort = memory.sortColumns
        return preImages.withImage(at: offset, beside: columns, of: statement) { image, item in
          Self.compare(image, at: positions, with: item, sortedBy: sort)
        }
      }
      content = preImages.withImage(at: offset, beside: columns, of: statement) { image, item in
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
    return RowComparison(
      isContentChanged: content.isChange, isOrderChanged: order.isChange,
      before: before(content, contentAfter, order, orderAfter),
      after: RowFingerprint(content: contentAfter, order: orderAfter))
  }

  /// What is known of a row that is gone.
  func fingerprintBefore(_ key: RowKey, handle: Int32) -> RowFingerprint? {
    if case (.image(let offset), let preImages)? = rowsBefore.entry(of: key), !memory.keepsOrder {
      return RowFingerprint(
        content: preImages.withImage(at: offset) { RowDigest.of($0, at: rowsBefore.positions) },
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
  ) -> RowComparison? {
    guard let content = RowDigest.change(from: image, at: positions, to: item) else { return nil }
    let keepsOrder = sort.allSatisfy { image[positions[$0]].isIdentical(to: item[$0]) }
    return RowComparison(
      isContentChanged: true, isOrderChanged: !keepsOrder,
      before: RowFingerprint(content: content.before, order: RowDigest.none),
      after: RowFingerprint(content: content.after, order: RowDigest.none))
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
