/// Integer keys and their handles: a hash table.
///
/// The keys are in an array by handle, ``HandleSlots`` finds them by their hash. A few keys need no
/// slots: they are all looked at.
struct IntegerKeyMap: Sendable {
  /// Up to this many keys, there are no slots.
  private static let unslottedCount = 8
  /// Keys come from the data; nobody shall be able to choose them so that they collide.
  private static let seeds = (
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1
  )

  private var keys: ContiguousArray<Int64> = []
  /// The handles that are not in use.
  private(set) var freeHandles: ContiguousArray<Int32> = []
  private var slots = HandleSlots()
  private let seeds = Self.seeds

  /// The number of keys.
  var count: Int { keys.count - freeHandles.count }

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
      if !dense.contains(handle) { freeHandles.append(Int32(handle)) }
      keys.append(dense.key(of: Int32(handle)))
    }
    freeHandles.reverse()
    if !keys.isEmpty { reserve(count: keys.count) }
  }

  // MARK: - Finding

  func key(of handle: Int32) -> Int64 { keys[Int(handle)] }

  func handle(of key: Int64) -> Int32? {
    guard !slots.isEmpty else { return unslottedHandle(of: key) }
    return slots.handle(inSlot: slot(of: key, hash: hash(of: key)))
  }

  /// Finds a key where there are no slots: then nothing was removed, either.
  private func unslottedHandle(of key: Int64) -> Int32? {
    keys.firstIndex(of: key).map { Int32($0) }
  }

  private func slot(of key: Int64, hash: UInt64) -> Int {
    slots.slot(hash: hash) { keys[Int($0)] == key }
  }

  private func hash(of key: Int64) -> UInt64 { Self.hash(of: key, seeds) }

  private static func hash(of key: Int64, _ seeds: (UInt64, UInt64)) -> UInt64 {
    let product = (UInt64(bitPattern: key) ^ seeds.0).multipliedFullWidth(by: seeds.1)
    var mixed = product.high ^ product.low
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }

  // MARK: - Changing

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: Int64) -> (handle: Int32, isNew: Bool) {
    if slots.isEmpty, keys.count < Self.unslottedCount {
      if let known = unslottedHandle(of: key) { return (known, false) }
      keys.append(key)
      return (Int32(keys.count - 1), true)
    }
    reserve(count: keys.count + 1)
    let hash = hash(of: key)
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
    if slots.isEmpty { reserve(count: keys.count) }
    let (keys, seeds) = (keys, seeds)
    slots.remove(handle) { Self.hash(of: keys[Int($0)], seeds) }
    freeHandles.append(handle)
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    guard !slots.hasRoom(for: count) else { return }
    let (keys, seeds) = (keys, seeds)
    slots.reserve(count: count, keyCount: keys.count, free: freeHandles) {
      Self.hash(of: keys[Int($0)], seeds)
    }
  }
}
