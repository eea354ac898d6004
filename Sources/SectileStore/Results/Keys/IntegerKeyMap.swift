/// Integer keys and their handles: a hash table.
///
/// ```text
/// keys    40  7  9000  -3                 by handle, 8 bytes each
/// slots   .   t|2  .  .  t|0  t|3  t|1    a tag of the key's hash, and the handle
/// ```
///
/// The slots are searched from the place that a key hashes to. A slot is four bytes: the lower bits
/// are the handle, the bits that no handle needs are a tag, so that other keys on the way are passed
/// over without reading them. A few keys need no slots: they are all looked at.
struct IntegerKeyMap: Sendable {
  private static let empty = UInt32.max
  /// Up to this many keys, there are no slots.
  private static let unslottedCount = 8
  /// Keys come from the data; nobody shall be able to choose them so that they collide.
  private static let seeds = (
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1
  )

  private var keys: ContiguousArray<Int64> = []
  private var free: ContiguousArray<Int32> = []
  /// At most four fifths as many handles as slots have been handed out.
  private var slots: ContiguousArray<UInt32> = []
  /// The bits of a slot that are its handle.
  private var handleMask: UInt32 = 0
  private let seeds = Self.seeds

  /// The number of keys.
  var count: Int { keys.count - free.count }

  /// One more than the largest handle.
  var capacity: Int { keys.count }

  init() {}

  /// Creates a map of keys in which a key's handle is its position.
  ///
  /// - Returns: The map, or the position of a key that was there before.
  static func make(_ keys: ContiguousArray<Int64>) -> (map: IntegerKeyMap, duplicate: Int?) {
    var map = IntegerKeyMap()
    map.reserve(count: keys.count)
    map.keys.reserveCapacity(keys.count)
    for (position, key) in keys.enumerated() where !map.insert(key).isNew {
      return (map, position)
    }
    return (map, nil)
  }

  /// Creates a map with the keys and handles of another.
  init(_ dense: DenseKeyMap) {
    keys.reserveCapacity(dense.capacity)
    for handle in 0..<dense.capacity {
      if !dense.contains(handle) { free.append(Int32(handle)) }
      keys.append(dense.key(of: Int32(handle)))
    }
    free.reverse()
    if !keys.isEmpty { rebuild(slotCount: Self.slotCount(for: keys.count)) }
  }

  // MARK: - Finding

  func key(of handle: Int32) -> Int64 { keys[Int(handle)] }

  /// The handles that are not in use.
  var freeHandles: ContiguousArray<Int32> { free }

  func handle(of key: Int64) -> Int32? {
    guard !slots.isEmpty else { return unslottedHandle(of: key) }
    let found = slots[slot(of: key, hash: hash(of: key))]
    return found == Self.empty ? nil : Int32(found & handleMask)
  }

  /// Finds a key where there are no slots: then nothing was removed, either.
  private func unslottedHandle(of key: Int64) -> Int32? {
    keys.firstIndex(of: key).map { Int32($0) }
  }

  /// The slot a key is in, or the empty one in which its search ends.
  private func slot(of key: Int64, hash: UInt64) -> Int {
    var slot = home(of: hash)
    let tag = UInt32(truncatingIfNeeded: hash) & ~handleMask
    return slots.withUnsafeBufferPointer { slots in
      while slots[slot] != Self.empty {
        if slots[slot] & ~handleMask == tag, keys[Int(slots[slot] & handleMask)] == key { break }
        slot += 1
        if slot == slots.count { slot = 0 }
      }
      return slot
    }
  }

  private func hash(of key: Int64) -> UInt64 {
    let product = (UInt64(bitPattern: key) ^ seeds.0).multipliedFullWidth(by: seeds.1)
    var mixed = product.high ^ product.low
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }

  /// Scales the upper half of a hash to the number of slots.
  private func home(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(slots.count)) >> 32)
  }

  // MARK: - Changing

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: Int64) -> (handle: Int32, isNew: Bool) {
    if slots.isEmpty, keys.count < Self.unslottedCount {
      if let known = unslottedHandle(of: key) { return (known, false) }
      keys.append(key)
      return (Int32(keys.count - 1), true)
    }
    if (keys.count + 1) * 5 > slots.count * 4 { rebuild(slotCount: max(16, slots.count * 2)) }
    let hash = hash(of: key)
    let slot = slot(of: key, hash: hash)
    let found = slots[slot]
    if found != Self.empty { return (Int32(found & handleMask), false) }
    let handle: Int32
    if let reused = free.popLast() {
      handle = reused
      keys[Int(handle)] = key
    } else {
      handle = Int32(keys.count)
      keys.append(key)
    }
    slots[slot] = UInt32(truncatingIfNeeded: hash) & ~handleMask | UInt32(handle)
    return (handle, true)
  }

  /// Takes a key out of the map.
  ///
  /// Keys behind it that could have stood in its place move up, so that no search ends too early.
  mutating func remove(_ handle: Int32) {
    if slots.isEmpty { rebuild(slotCount: Self.slotCount(for: keys.count)) }
    let key = keys[Int(handle)]
    var hole = slot(of: key, hash: hash(of: key))
    precondition(
      slots[hole] != Self.empty && slots[hole] & handleMask == UInt32(handle),
      "handle \(handle) is not in use")
    free.append(handle)
    var next = following(hole)
    while slots[next] != Self.empty {
      let home = home(of: hash(of: keys[Int(slots[next] & handleMask)]))
      if distance(from: home, to: next) >= distance(from: hole, to: next) {
        slots[hole] = slots[next]
        hole = next
      }
      next = following(next)
    }
    slots[hole] = Self.empty
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    if count * 5 > slots.count * 4 { rebuild(slotCount: Self.slotCount(for: count)) }
  }

  private static func slotCount(for count: Int) -> Int { max(16, count + count / 3 + 1) }

  private func following(_ slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

  private func distance(from start: Int, to end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }

  private mutating func rebuild(slotCount: Int) {
    let former = slots
    let formerMask = handleMask
    let isFirst = former.isEmpty
    slots = ContiguousArray(repeating: Self.empty, count: slotCount)
    // A handle is less than the number of slots, and a slot in use is never all ones.
    handleMask = UInt32.max >> UInt32(UInt32(slotCount).leadingZeroBitCount)
    if isFirst {
      var isFree = ContiguousArray(repeating: false, count: keys.count)
      for handle in free { isFree[Int(handle)] = true }
      for handle in keys.indices where !isFree[handle] { place(UInt32(handle)) }
    } else {
      for slot in former where slot != Self.empty { place(slot & formerMask) }
    }
  }

  /// Puts a handle to the first empty slot for its key, which is in no slot.
  private mutating func place(_ handle: UInt32) {
    let hash = hash(of: keys[Int(handle)])
    var slot = home(of: hash)
    while slots[slot] != Self.empty { slot = following(slot) }
    slots[slot] = UInt32(truncatingIfNeeded: hash) & ~handleMask | handle
  }
}
