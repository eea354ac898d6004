import SectileCore

/// Items in the order in which they were read.
///
/// Kept in memory of its own: of an array or an optional, whose types depend on that of the items,
/// the type would have to be looked up for each item.
final class ReadItems<Item: Identifiable & Sendable>: ItemSink where Item.ID: EntityKey {
  let format: RowFormat<Item>
  // Filled on the writer while a change is worked out; read only from then on.
  @exclusivity(unchecked) nonisolated(unsafe) private var start: UnsafeMutablePointer<Item>
  @exclusivity(unchecked) nonisolated(unsafe) private var capacity = 1
  @exclusivity(unchecked) nonisolated(unsafe) private var count = 0

  init(format: RowFormat<Item>) {
    self.format = format
    // Most changes have one item.
    start = .allocate(capacity: 1)
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  /// Returns a place for more items of the type, which is known here without being looked up.
  func makeEmpty() -> ReadItems { ReadItems(format: format) }

  subscript(position: Int) -> Item {
    precondition((0..<count).contains(position), "\(position) of \(count) items")
    return start[position]
  }

  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int {
    if count == capacity { grow() }
    try (start + count).initialize(to: format.decode(statement, firstColumn))
    count += 1
    return count - 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Item>.allocate(capacity: 4 * capacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, 4 * capacity)
  }

  var acceptedKeys: AcceptedKeys {
    if Item.ID.self == Int64.self || Item.ID.self == Int.self { return .integers }
    return Item.ID.self == String.self ? .texts : .none
  }

  func checkID(_ key: RowKey) throws { _ = try key.id(as: Item.ID.self, forms: format.keyForms) }
}
