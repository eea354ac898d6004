/// Remembers items, at most so many, those asked for lately first.
///
/// Two generations: what is asked for moves to the young one; when that is full, it becomes the old
/// one and what was old is forgotten. Every operation is O(1).
struct ItemCache<Item: Sendable>: Sendable {
  /// How many items are kept at most, unless a request's batch size asks for more.
  static var defaultLimit: Int { 4096 }

  private let generationLimit: Int
  private var young = Generation()
  private var old = Generation()

  /// Items in the order they came, and where each stands.
  ///
  /// The dictionary does not hold the items: it is the same for every type of item, so the compiler
  /// knows it.
  private struct Generation: Sendable {
    var positions: [RowKey: Int] = [:]
    var items: [Item] = []

    mutating func insert(_ item: Item, for key: RowKey) {
      if let position = positions[key] {
        items[position] = item
      } else {
        positions[key] = items.count
        items.append(item)
      }
    }
  }

  /// Creates a cache for at most `limit` items.
  init(limit: Int) {
    generationLimit = max(1, limit / 2)
  }

  /// Whether so many items would push out everything else.
  func isTooSmall(for count: Int) -> Bool { count > generationLimit }

  mutating func removeAll() {
    young = Generation()
    old = Generation()
  }

  mutating func item(_ key: RowKey) -> Item? {
    if let position = young.positions[key] { return young.items[position] }
    guard let position = old.positions.removeValue(forKey: key) else { return nil }
    let item = old.items[position]
    insert(item, for: key)
    return item
  }

  mutating func insert(_ item: Item, for key: RowKey) {
    if young.items.count >= generationLimit {
      old = young
      young = Generation()
    }
    young.insert(item, for: key)
  }

  mutating func remove(_ key: RowKey) {
    young.positions[key] = nil
    old.positions[key] = nil
  }
}
