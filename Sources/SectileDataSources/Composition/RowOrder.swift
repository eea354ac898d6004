internal import SectileCore

/// In which order an ``ArrangedIndex`` stands, while its input is at one version.
struct RowOrder<ItemID: Hashable & Sendable, Item: Sendable, Key: Sendable> {
  let input: any DataSourceSnapshot<ItemID, Item>
  /// The order of keys; nil where rows stand as in the input.
  let keyOrder: KeyOrder<Key>?
  /// Nil for the input's sections in the input's order.
  let sectionOrder: SectionOrder?

  init(
    input: any DataSourceSnapshot<ItemID, Item>, _ keyOrder: KeyOrder<Key>?,
    _ sectionOrder: SectionOrder?
  ) {
    self.input = input
    self.keyOrder = keyOrder
    self.sectionOrder = sectionOrder
  }

  /// Whether sections stand as their first rows do.
  var isByFirstRow: Bool { sectionOrder.map { $0.areInIncreasingOrder == nil } ?? false }

  /// Returns whether a row comes before another one of the same section.
  ///
  /// - Precondition: Both are in the input.
  func isBefore(_ left: (key: Key?, id: ItemID), _ right: (key: Key?, id: ItemID)) -> Bool {
    if let keyOrder, let leftKey = left.key, let rightKey = right.key {
      if keyOrder.areInIncreasingOrder(leftKey, rightKey) { return true }
      if keyOrder.areInIncreasingOrder(rightKey, leftKey) { return false }
    }
    return isBefore(left.id, right.id)
  }

  /// Returns whether a row comes before another one in the input.
  func isBefore(_ left: ItemID, _ right: ItemID) -> Bool {
    guard let left = input.path(of: left), let right = input.path(of: right) else {
      preconditionFailure("a row that is shown is not in the input")
    }
    return left < right
  }

  /// Returns whether a section comes before another one, where that follows from their headers.
  func isBefore(_ left: SourceSection, _ right: SourceSection) -> Bool {
    if let compare = sectionOrder?.areInIncreasingOrder { return compare(left, right) }
    let ordinals = (
      input.section(withIdentity: left.identity), input.section(withIdentity: right.identity)
    )
    return (ordinals.0 ?? .max) < (ordinals.1 ?? .max)
  }
}
