internal import HashTreeCollections
internal import SectileCore

/// The rows that an ``Arranging`` rule shows: where they are, and by which key.
///
/// ```text
/// loaded   "b" → 0   "a" → 1          row by identity: those that were there at first,
/// others   "d" → 2                    and those that came since
/// ids      0 → "b"   1 → "a"   …      identity by row
/// keys     0 → key   1 → key   …      where rows are sorted by keys
/// index    [1 0] [2]                  rows in sections, in order
/// ```
///
/// It is a value: copies share everything until one of them changes, and then all but O(log *n*).
/// What is known of all rows at once is made at once: see ``ScannedRows``.
struct ArrangedIndex<ItemID: Hashable & Sendable, Key: Sendable>: Sendable {
  var index: SectionedIndex
  private var ids: SlotTable<ItemID>
  /// Of rows that are not sorted there are none.
  private var keys: SlotTable<Key>?
  /// The rows that were there at first, some of which may be gone.
  private let loaded: HashedNumbers
  private var others = TreeDictionary<IdentityKey<ItemID>, Int32>()
  /// Which rows of the input are shown, in the order in which it is scanned; nil once anything
  /// changed.
  private(set) var arrivals: ArrivalMarks?

  /// Creates the index of rows that are numbered already.
  ///
  /// - Parameters:
  ///   - ids: The identities of the rows by their numbers.
  ///   - keys: Their keys; nil where there is no order of keys.
  ///   - index: Where the numbers are.
  ///   - arrivals: Which rows of the input these are.
  init(
    _ ids: ContiguousArray<ItemID>, keys: ContiguousArray<Key>?, index: SectionedIndex,
    arrivals: ArrivalMarks
  ) {
    self.index = index
    self.ids = SlotTable(ids)
    self.keys = keys.map { SlotTable($0) }
    self.arrivals = arrivals
    loaded = HashedNumbers(Self.hashes(of: ids))
  }

  private static func hashes(of ids: ContiguousArray<ItemID>) -> ContiguousArray<Int> {
    var hashes: ContiguousArray<Int> = []
    hashes.reserveCapacity(ids.count)
    for id in ids { hashes.append(hash(of: id)) }
    return hashes
  }

  private static func hash(of id: ItemID) -> Int {
    var hasher = Hasher()
    IdentityKey<ItemID>.hash(id, into: &hasher)
    return hasher.finalize()
  }

  func path(of id: ItemID) -> ItemPath? { handle(of: id).flatMap { index.path(of: $0) } }

  func id(at path: ItemPath) -> ItemID { ids[index.handle(at: path)] }

  /// Returns what the row at a path is sorted by; nil where rows are not.
  func key(at path: ItemPath) -> Key? { keys?[index.handle(at: path)] }

  /// Returns the number of a row.
  func handle(of id: ItemID) -> Int32? {
    if !others.isEmpty, let handle = others[IdentityKey(id)] { return handle }
    return loaded.first(at: Self.hash(of: id)) { number in
      // The number may be another row's by now.
      ids.element(number).map { IdentityKey<ItemID>.areEqual($0, id) } ?? false
    }
  }

  /// Notes that the index is about to change, or the input.
  mutating func beginChange() { arrivals = nil }

  /// Returns the number of a row that is about to be put in: the one it has, or a new one.
  mutating func makeHandle(for id: ItemID, _ key: Key?) -> Int32 {
    if let handle = handle(of: id) {
      ids[handle] = id
      if let key { keys?[handle] = key }
      return handle
    }
    let handle = ids.insert(id)
    // Both tables give out the same numbers, since numbers are taken from both, and given back to
    // both.
    if let key, let other = keys?.insert(key) {
      precondition(other == handle, "row \(handle) has the key of row \(other)")
    }
    others[IdentityKey(id)] = handle
    return handle
  }

  /// Gives back the number of a row that is gone.
  mutating func freeHandle(of id: ItemID) {
    guard let handle = handle(of: id) else { return }
    if !others.isEmpty { others[IdentityKey(id)] = nil }
    ids.remove(handle)
    keys?.remove(handle)
  }
}
