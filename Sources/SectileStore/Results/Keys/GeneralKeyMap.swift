import SectileCore

/// Keys of any kind and their handles: a hash table.
///
/// The keys are in an array by handle, ``HandleSlots`` finds them by their hash.
struct GeneralKeyMap: Sendable {
  private var keys: ContiguousArray<RowKey> = []
  private var freeHandles: ContiguousArray<Int32> = []
  private var slots = HandleSlots()

  /// The number of keys.
  var count: Int { keys.count - freeHandles.count }

  /// One more than the largest handle.
  var capacity: Int { keys.count }

  init() {}

  /// Creates a map with the keys and handles of another.
  init(_ integers: IntegerKeyMap) {
    self.init(capacity: integers.capacity, freeHandles: integers.freeHandles) {
      .integer(integers.key(of: $0))
    }
  }

  /// Creates a map with the keys and handles of another.
  init(_ texts: TextKeyMap) {
    self.init(capacity: texts.capacity, freeHandles: texts.freeHandles) {
      .value(.text(texts.key(of: $0)))
    }
  }

  private init(
    capacity: Int, freeHandles: ContiguousArray<Int32>, key: (Int32) -> RowKey
  ) {
    keys = ContiguousArray((0..<Int32(capacity)).map(key))
    self.freeHandles = freeHandles
    reserve(count: capacity)
  }

  func handle(of key: RowKey) -> Int32? {
    guard !slots.isEmpty else { return nil }
    return slots.handle(inSlot: slot(of: key, hash: Self.hash(of: key)))
  }

  func key(of handle: Int32) -> RowKey { keys[Int(handle)] }

  private func slot(of key: RowKey, hash: UInt64) -> Int {
    slots.slot(hash: hash) { keys[Int($0)] == key }
  }

  private static func hash(of key: RowKey) -> UInt64 {
    UInt64(truncatingIfNeeded: key.hashValue)
  }

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    reserve(count: keys.count + 1)
    let hash = Self.hash(of: key)
    let slot = slot(of: key, hash: hash)
    if let found = slots.handle(inSlot: slot) { return (found, false) }
    let handle: Int32
    if let reused = freeHandles.popLast() {
      handle = reused
      keys[Int(handle)] = key
    } else {
      handle = Int32(keys.count)
      keys.append(key)
    }
    slots.put(handle, hash: hash, inSlot: slot)
    return (handle, true)
  }

  /// Takes a key out of the map.
  mutating func remove(_ handle: Int32) {
    let keys = keys
    slots.remove(handle) { Self.hash(of: keys[Int($0)]) }
    freeHandles.append(handle)
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    guard !slots.hasRoom(for: count) else { return }
    let keys = keys
    slots.reserve(count: count, keyCount: keys.count, free: freeHandles) {
      Self.hash(of: keys[Int($0)])
    }
  }
}
