/// Keys of any kind and their handles: a hash table.
///
/// ```text
/// keys    a   b   c   d          by handle
/// slots   .  2  .  .  0  3  1  .      handles, each near the place its key hashes to
/// ```
///
/// The slots are an open-addressing table with linear probing that holds nothing but handles: a key
/// is stored once.
struct GeneralKeyMap: Sendable {
  private static let empty: Int32 = -1

  private var keys: ContiguousArray<RowKey> = []
  /// None, or a power of two, at most three quarters of them taken.
  private var slots: ContiguousArray<Int32> = []
  private var free: ContiguousArray<Int32> = []

  /// The number of keys.
  var count: Int { keys.count - free.count }

  /// One more than the largest handle.
  var capacity: Int { keys.count }

  init() {}

  /// Creates a map with the keys and handles of another.
  init(_ integers: IntegerKeyMap) {
    keys.reserveCapacity(integers.capacity)
    for handle in 0..<integers.capacity { keys.append(.integer(integers.key(of: Int32(handle)))) }
    free = integers.freeHandles
    var isFree = ContiguousArray(repeating: false, count: keys.count)
    for handle in free { isFree[Int(handle)] = true }
    reserve(count: keys.count)
    for handle in keys.indices where !isFree[handle] {
      slots[slot(of: keys[handle])] = Int32(handle)
    }
  }

  func handle(of key: RowKey) -> Int32? {
    guard !slots.isEmpty else { return nil }
    let handle = slots[slot(of: key)]
    return handle == Self.empty ? nil : handle
  }

  func key(of handle: Int32) -> RowKey { keys[Int(handle)] }

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    reserve(count: count + 1)
    let slot = slot(of: key)
    if slots[slot] != Self.empty { return (slots[slot], false) }
    let handle: Int32
    if let reused = free.popLast() {
      handle = reused
      keys[Int(handle)] = key
    } else {
      handle = Int32(keys.count)
      keys.append(key)
    }
    slots[slot] = handle
    return (handle, true)
  }

  /// Takes a key out of the map.
  ///
  /// Keys behind it that could have stood in its place move up, so that no search ends too early.
  mutating func remove(_ handle: Int32) {
    var hole = slot(of: keys[Int(handle)])
    precondition(slots[hole] == handle, "handle \(handle) is not in use")
    free.append(handle)
    var next = (hole + 1) & mask
    while slots[next] != Self.empty {
      let home = home(of: keys[Int(slots[next])])
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Self.empty
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    guard count * 4 > slots.count * 3 else { return }
    var slotCount = max(16, slots.count * 2)
    while count * 4 > slotCount * 3 { slotCount *= 2 }
    let handles = slots.filter { $0 != Self.empty }
    slots = ContiguousArray(repeating: Self.empty, count: slotCount)
    for handle in handles { slots[slot(of: keys[Int(handle)])] = handle }
  }

  private var mask: Int { slots.count - 1 }

  /// The slot a key is in, or the empty one in which its search ends.
  private func slot(of key: RowKey) -> Int {
    var slot = home(of: key)
    while slots[slot] != Self.empty, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
    return slot
  }

  private func home(of key: RowKey) -> Int { key.hashValue & mask }
}
