import SectileCore

/// Items in the order in which they were read.
///
/// Kept in memory of its own: of an array or an optional, whose types depend on that of the items,
/// the type would have to be looked up for each item.
final class ReadItems<Item: Identifiable & Sendable>: ItemSink where Item.ID: EntityKey {
  private struct Memory {
    var start: UnsafeMutablePointer<Item>
    var capacity: Int
    var count = 0
  }

  let format: RowFormat<Item>
  // Filled on the writer while a change is worked out; read only from then on.
  @exclusivity(unchecked) nonisolated(unsafe) private var memory: Memory

  init(format: RowFormat<Item>) {
    self.format = format
    // Most changes have one item.
    memory = Memory(start: .allocate(capacity: 1), capacity: 1)
  }

  deinit {
    memory.start.deinitialize(count: memory.count)
    memory.start.deallocate()
  }

  /// Returns a place for more items of the type, which is known here without being looked up.
  func makeEmpty() -> ReadItems { ReadItems(format: format) }

  subscript(position: Int) -> Item {
    let count = memory.count
    precondition((0..<count).contains(position), "\(position) of \(count) items")
    return memory.start[position]
  }

  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int {
    if memory.count == memory.capacity { grow() }
    try (memory.start + memory.count).initialize(to: format.decode(statement, firstColumn))
    memory.count += 1
    return memory.count - 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Item>.allocate(capacity: 4 * memory.capacity)
    larger.moveInitialize(from: memory.start, count: memory.count)
    memory.start.deallocate()
    (memory.start, memory.capacity) = (larger, 4 * memory.capacity)
  }

  var acceptedKeys: AcceptedKeys {
    if Item.ID.self == Int64.self || Item.ID.self == Int.self { return .integers }
    return Item.ID.self == String.self ? .texts : .none
  }

  func checkID(_ key: RowKey) throws { _ = try key.id(as: Item.ID.self, forms: format.keyForms) }
}
