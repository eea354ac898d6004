/// The two-way map between row keys and the dense handles that the index stores.
///
/// ```text
/// keys    a   b   c   d          by handle
/// slots   .  2  .  .  0  3  1  .      handles, each near the place its key hashes to
/// ```
///
/// The slots are an open-addressing table with linear probing that holds nothing but handles: a key
/// is stored once. Handles of removed rows are handed out again. A copy is a value: who holds one
/// keeps reading the keys of its own version.
struct RowKeyMap: Sendable {
  private static let empty: Int32 = -1
  /// Keys come from the data; nobody shall be able to choose them so that they collide.
  private static let seed = UInt64.random(in: .min ... .max)

  private var keys: ContiguousArray<RowKey> = []
  /// None, or a power of two, at most three quarters of them taken.
  private var slots: ContiguousArray<Int32> = []
  private var free: ContiguousArray<Int32> = []

  var count: Int { keys.count - free.count }

  /// One more than the largest handle ever handed out: the size of an array indexed by handle.
  var capacity: Int { keys.count }

  func handle(of key: RowKey) -> Int32? {
    guard !slots.isEmpty else { return nil }
    let handle = slots[slot(of: key)]
    return handle == Self.empty ? nil : handle
  }

  func key(of handle: Int32) -> RowKey { keys[Int(handle)] }

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    if count * 4 >= slots.count * 3 { grow() }
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

  private var mask: Int { slots.count - 1 }

  /// The slot a key is in, or the empty one in which its search ends.
  private func slot(of key: RowKey) -> Int {
    var slot = home(of: key)
    while slots[slot] != Self.empty, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
    return slot
  }

  private func home(of key: RowKey) -> Int {
    switch key {
    case .integer(let integer):
      var mixed = UInt64(bitPattern: integer) ^ Self.seed
      mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
      mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 32) & mask
    case .values(let values):
      return values.hashValue & mask
    }
  }

  private mutating func grow() {
    let handles = slots.filter { $0 != Self.empty }
    slots = ContiguousArray(repeating: Self.empty, count: max(16, slots.count * 2))
    for handle in handles { slots[slot(of: keys[Int(handle)])] = handle }
  }
}
