/// Remembers items, at most so many, those asked for lately first.
///
/// Two generations: what is asked for moves to the young one; when that is full, it becomes the old
/// one and what was old is forgotten. Every operation is O(1).
struct ItemCache<Item: Sendable>: Sendable {
  /// How many items are kept at most, unless a request's batch size asks for more.
  static var defaultLimit: Int { 4096 }

  private let generationLimit: Int
  private var young: [RowKey: Item] = [:]
  private var old: [RowKey: Item] = [:]

  /// Creates a cache for at most `limit` items.
  init(limit: Int) {
    generationLimit = max(1, limit / 2)
  }

  mutating func item(_ key: RowKey) -> Item? {
    if let item = young[key] { return item }
    guard let item = old.removeValue(forKey: key) else { return nil }
    insert(item, for: key)
    return item
  }

  mutating func insert(_ item: Item, for key: RowKey) {
    if young.count >= generationLimit {
      old = young
      young = [:]
    }
    young[key] = item
  }

  mutating func remove(_ key: RowKey) {
    young[key] = nil
    old[key] = nil
  }
}
