import SectileCore

/// Integer keys and their handles.
typealias IntegerKeyMap = HashedKeyMap<Int64>

/// Keys of any kind and their handles.
typealias GeneralKeyMap = HashedKeyMap<RowKey>

/// A key that is found by its hash.
protocol HashedKey: Equatable, Sendable {
  /// A hash of which every bit counts.
  var slotHash: UInt64 { get }
}

/// Keys and their handles: a hash table.
///
/// The keys are in an array by handle, ``HandleSlots`` finds them by their hash. A few keys need no
/// slots: they are all looked at.
struct HashedKeyMap<Key: HashedKey>: Sendable {
  /// Up to this many keys, there are no slots.
  private static var unslottedCount: Int { 8 }

  private var keys: ContiguousArray<Key> = []
  /// The handles that are not in use.
  private(set) var freeHandles: ContiguousArray<Int32> = []
  private var slots = HandleSlots()

  /// The number of keys.
  var count: Int { keys.count - freeHandles.count }

  /// One more than the largest handle.
  var capacity: Int { keys.count }

  init() {}

  /// Creates a map of keys by handle, some of which are not in use.
  private init(_ keys: ContiguousArray<Key>, freeHandles: ContiguousArray<Int32>) {
    self.keys = keys
    self.freeHandles = freeHandles
    reserve(count: keys.count)
  }

  /// Creates a map of keys in which a key's handle is its position.
  ///
  /// - Returns: The map, or the position of a key that was there before.
  static func make(_ keys: ContiguousArray<Key>) -> (map: HashedKeyMap, duplicate: Int?) {
    var map = HashedKeyMap()
    map.reserve(count: keys.count)
    map.keys.reserveCapacity(keys.count)
    for (position, key) in keys.enumerated() where !map.insert(key).isNew {
      return (map, position)
    }
    return (map, nil)
  }

  // MARK: - Finding

  func key(of handle: Int32) -> Key { keys[Int(handle)] }

  func handle(of key: Key) -> Int32? {
    guard !slots.isEmpty else { return unslottedHandle(of: key) }
    return slots.handle(inSlot: slot(of: key, hash: key.slotHash))
  }

  /// Finds a key where there are no slots: then nothing was removed, either.
  private func unslottedHandle(of key: Key) -> Int32? {
    keys.firstIndex(of: key).map { Int32($0) }
  }

  private func slot(of key: Key, hash: UInt64) -> Int {
    slots.slot(hash: hash) { keys[Int($0)] == key }
  }

  // MARK: - Changing

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: Key) -> (handle: Int32, isNew: Bool) {
    if slots.isEmpty, keys.count < Self.unslottedCount {
      if let known = unslottedHandle(of: key) { return (known, false) }
      keys.append(key)
      return (Int32(keys.count - 1), true)
    }
    reserve(count: keys.count + 1)
    let hash = key.slotHash
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
    let keys = keys
    slots.remove(handle) { keys[Int($0)].slotHash }
    freeHandles.append(handle)
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    guard !slots.hasRoom(for: count) else { return }
    let keys = keys
    slots.reserve(count: count, keyCount: keys.count, free: freeHandles) { keys[Int($0)].slotHash }
  }
}

// MARK: - Integers

extension HashedKeyMap<Int64> {
  /// Creates a map with the keys and handles of another.
  init(_ dense: DenseKeyMap) {
    let handles = 0..<dense.capacity
    self.init(
      ContiguousArray(handles.map { dense.key(of: Int32($0)) }),
      freeHandles: ContiguousArray(
        handles.reversed().filter { !dense.contains($0) }.map { Int32($0) }))
  }
}

/// Keys come from the data; nobody shall be able to choose them so that they collide.
private let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

extension Int64: HashedKey {
  var slotHash: UInt64 {
    let product = (UInt64(bitPattern: self) ^ seeds.0).multipliedFullWidth(by: seeds.1)
    var mixed = product.high ^ product.low
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }
}

// MARK: - Keys of any kind

extension HashedKeyMap<RowKey> {
  /// Creates a map with the keys and handles of another.
  init(_ integers: IntegerKeyMap) {
    self.init(
      ContiguousArray((0..<Int32(integers.capacity)).map { .integer(integers.key(of: $0)) }),
      freeHandles: integers.freeHandles)
  }

  /// Creates a map with the keys and handles of another.
  init(_ texts: TextKeyMap) {
    self.init(
      ContiguousArray((0..<Int32(texts.capacity)).map { .value(.text(texts.key(of: $0))) }),
      freeHandles: texts.freeHandles)
  }
}

extension RowKey: HashedKey {
  var slotHash: UInt64 { UInt64(truncatingIfNeeded: hashValue) }
}
