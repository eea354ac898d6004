import SectileCore

/// Items in the order in which they were read.
final class ReadItems<Item: Identifiable & Sendable>: ItemSink where Item.ID: EntityKey {
  private let format: RowFormat<Item>
  // Filled on the writer while a change is worked out; read only from then on. The first item stands
  // apart: most changes have one, and it needs no array, whose type would have to be looked up.
  nonisolated(unsafe) private var first: Item?
  nonisolated(unsafe) private var others: [Item] = []
  nonisolated(unsafe) private var count = 0

  init(format: RowFormat<Item>) { self.format = format }

  subscript(position: Int) -> Item {
    if position == 0, let first { return first }
    return others[position - 1]
  }

  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int {
    let item = try format.decode(statement, firstColumn)
    if count == 0 {
      first = item
    } else {
      others.append(item)
    }
    count += 1
    return count - 1
  }

  var acceptsIntegerKeys: Bool { Item.ID.self == Int64.self || Item.ID.self == Int.self }

  func checkID(_ key: RowKey) throws { _ = try key.id(as: Item.ID.self) }
}
