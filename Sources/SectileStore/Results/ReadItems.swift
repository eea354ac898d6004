import SectileCore

/// Items in the order in which they were read.
final class ReadItems<Item: Identifiable & Sendable>: ItemSink where Item.ID: EntityKey {
  private let format: RowFormat<Item>
  // Filled on the writer while a change is worked out; read only from then on.
  nonisolated(unsafe) private(set) var items: [Item] = []

  init(format: RowFormat<Item>) { self.format = format }

  func readItem(_ statement: RawStatement, firstColumn: Int) throws -> Int {
    items.append(try format.decode(statement, firstColumn))
    return items.count - 1
  }

  var acceptsIntegerKeys: Bool { Item.ID.self == Int64.self || Item.ID.self == Int.self }

  func checkID(_ key: RowKey) throws { _ = try key.id(as: Item.ID.self) }
}
