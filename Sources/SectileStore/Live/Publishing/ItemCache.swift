/// Remembers items, at most so many, those asked for lately first.
///
/// Two generations: what is asked for moves to the young one; when that is full, it becomes the old
/// one and what was old is forgotten. Every operation is O(1).
///
/// What is forgotten is kept until ``takeForgotten()``: caches are used under locks, and what the
/// release of an item runs may want the same locks.
///
/// It is an object, so that its code need not be told the type of the items with each call.
final class ItemCache<Item: Sendable> {
  /// How many items are kept at most, unless a request's batch size asks for more.
  static var defaultLimit: Int { 4096 }

  /// How many items are kept for a request's batch size, however large that is.
  static func limit(batchSize: Int) -> Int { max(defaultLimit, 2 * min(batchSize, .max / 2)) }

  private let generationLimit: Int
  // Items in the order they came, and where each stands. The dictionaries do not hold the items:
  // they are the same for every type of item, so the compiler knows them.
  private var young: [RowKey: Int] = [:]
  private var youngItems: [Item] = []
  private var old: [RowKey: Int] = [:]
  private var oldItems: [Item] = []
  private var forgotten: [Item] = []

  /// Creates a cache for at most `limit` items.
  init(limit: Int) {
    generationLimit = max(1, limit / 2)
  }

  var isEmpty: Bool { young.isEmpty && old.isEmpty }

  /// Whether so many items would push out everything else.
  func isTooSmall(for count: Int) -> Bool { count > generationLimit }

  func removeAll() {
    forget(&youngItems)
    forget(&oldItems)
    young = [:]
    old = [:]
  }

  private func forget(_ items: inout [Item]) {
    if forgotten.isEmpty {
      swap(&forgotten, &items)
    } else {
      forgotten += items
      items = []
    }
  }

  /// Takes what was forgotten, to be released outside of every lock.
  func takeForgotten() -> [Item] { exchange(&forgotten, with: []) }

  func item(_ key: RowKey) -> Item? {
    if let position = young[key] { return youngItems[position] }
    guard let position = old.removeValue(forKey: key) else { return nil }
    let item = oldItems[position]
    insert(item, for: key)
    return item
  }

  func insert(_ item: Item, for key: RowKey) {
    if youngItems.count >= generationLimit {
      forget(&oldItems)
      swap(&oldItems, &youngItems)
      old = young
      young = [:]
    }
    if let position = young[key] {
      forgotten.append(exchange(&youngItems[position], with: item))
    } else {
      young[key] = youngItems.count
      youngItems.append(item)
    }
  }

  func remove(_ key: RowKey) {
    young[key] = nil
    old[key] = nil
  }
}
