internal import HashTreeCollections
internal import SectileCore

/// What the items of each section come to, and all items; and what each item counts as.
///
/// ```text
/// operands   "m1" → [1, 2048]   "m4" → [1, 512]      items that count nowhere are left out
/// sections   'inbox' → [2, 2560]                     sections in which nothing counts, too
/// all        [2, 2560]
/// ```
///
/// What an item counted as is kept, since it is to be taken away when the item is gone or another
/// one, and a version before may not be readable any more. It is a value: copies share everything
/// until one of them changes, and then all but O(log *n*).
struct ItemTallies<ItemID: Hashable & Sendable>: Sendable {
  private var operands = TreeDictionary<IdentityKey<ItemID>, [AggregateOperand]>()
  private var sections = TreeDictionary<StoredValue, ItemTally>()
  /// What all items come to.
  private(set) var all: ItemTally
  private let empty: ItemTally

  /// Tallies all items of an input.
  ///
  /// - Throws: What reading an item throws.
  /// - Complexity: O(*n*).
  init<Item>(
    of input: any DataSourceSnapshot<ItemID, Item>, by rule: Aggregating<ItemID, Item>
  ) throws {
    let empty = ItemTally(aggregateCount: rule.terms.count)
    var all = empty
    var operands = TreeDictionary<IdentityKey<ItemID>, [AggregateOperand]>()
    let headers = input.sections
    var tallies = Array(repeating: empty, count: headers.count)
    // The rank behind the last row of each section.
    var ends: [Int] = []
    for section in 0..<headers.count {
      ends.append((ends.last ?? 0) + input.numberOfItems(in: section))
    }
    try input.scan { id, item, rank in
      guard let counted = rule.operands(of: item) else { return }
      operands[IdentityKey(id)] = counted
      all.add(counted, isAdded: true)
      tallies[ends.partitioningIndex { $0 > rank }].add(counted, isAdded: true)
    }
    self.empty = empty
    self.all = all
    self.operands = operands
    for (section, tally) in tallies.enumerated() where tally.itemCount > 0 {
      sections[headers[section].identity] = tally
    }
  }

  /// Returns what the items of a section come to.
  func tally(ofSection identity: StoredValue) -> ItemTally { sections[identity] ?? empty }

  /// Takes an item away from its section.
  ///
  /// - Returns: What it counted as; nil where that is nothing.
  mutating func remove(_ id: ItemID, from section: StoredValue) -> [AggregateOperand]? {
    guard let counted = operands.removeValue(forKey: IdentityKey(id)) else { return nil }
    add(counted, to: section, isAdded: false)
    return counted
  }

  /// Adds an item to a section.
  mutating func insert(
    _ id: ItemID, counting counted: [AggregateOperand], into section: StoredValue
  ) {
    operands[IdentityKey(id)] = counted
    add(counted, to: section, isAdded: true)
  }

  private mutating func add(
    _ counted: [AggregateOperand], to section: StoredValue, isAdded: Bool
  ) {
    all.add(counted, isAdded: isAdded)
    // Taken out, so that what is not shared is changed in place.
    var tally = sections.removeValue(forKey: section) ?? empty
    tally.add(counted, isAdded: isAdded)
    if tally.itemCount != 0 { sections[section] = tally }
  }
}
