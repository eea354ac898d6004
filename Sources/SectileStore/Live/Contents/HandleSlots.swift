/// The slots of a hash table of keys that are stored elsewhere, by handle.
///
/// ```text
/// keys    40  7  9000  -3                 by handle, wherever they are
/// slots   .   t|2  .  .  t|0  t|3  t|1    a tag of the key's hash, and the handle
/// ```
///
/// The slots are searched from the place that a key hashes to. A slot is four bytes: the lower bits
/// are the handle, the bits that no handle needs are a tag, so that other keys on the way are
/// passed over without reading them.
///
/// Whoever calls knows the keys: closures tell whether a handle's key is the one wanted, and how it
/// hashes.
struct HandleSlots: Sendable {
  private static let empty = UInt32.max

  /// At most four fifths of them are taken.
  private var slots: ContiguousArray<UInt32> = []
  /// The bits of a slot that are its handle.
  private var handleMask: UInt32 = 0

  /// Whether there is not even room for a key.
  var isEmpty: Bool { slots.isEmpty }

  // MARK: - Finding

  /// Returns the slot a key is in, or the empty one in which its search ends.
  @inline(__always)
  func slot(hash: UInt64, _ isWanted: (Int32) -> Bool) -> Int {
    var slot = home(of: hash)
    let tag = UInt32(truncatingIfNeeded: hash) & ~handleMask
    return slots.withUnsafeBufferPointer { slots in
      while slots[slot] != Self.empty {
        if slots[slot] & ~handleMask == tag, isWanted(Int32(slots[slot] & handleMask)) { break }
        slot += 1
        if slot == slots.count { slot = 0 }
      }
      return slot
    }
  }

  /// The handle in a slot; nil where it is empty.
  @inline(__always)
  func handle(inSlot slot: Int) -> Int32? {
    slots[slot] == Self.empty ? nil : Int32(slots[slot] & handleMask)
  }

  /// Scales the upper half of a hash to the number of slots.
  private func home(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(slots.count)) >> 32)
  }

  // MARK: - Changing

  /// Puts the handle of a new key into the slot in which the search for it ended.
  @inline(__always)
  mutating func put(_ handle: Int32, hash: UInt64, inSlot slot: Int) {
    slots[slot] = UInt32(truncatingIfNeeded: hash) & ~handleMask | UInt32(handle)
  }

  /// Empties the slot that a handle is in.
  ///
  /// Keys behind it that could have stood in its place move up, so that no search ends too early.
  @inline(__always)
  mutating func remove(_ handle: Int32, hashOf: (Int32) -> UInt64) {
    var hole = slot(hash: hashOf(handle)) { $0 == handle }
    precondition(self.handle(inSlot: hole) == handle, "handle \(handle) is not in use")
    var next = following(hole)
    while let moved = self.handle(inSlot: next) {
      let home = home(of: hashOf(moved))
      if distance(from: home, to: next) >= distance(from: hole, to: next) {
        slots[hole] = slots[next]
        hole = next
      }
      next = following(next)
    }
    slots[hole] = Self.empty
  }

  /// Whether there is room for so many keys in all.
  func hasRoom(for count: Int) -> Bool { count * 5 <= slots.count * 4 }

  /// Makes room for so many keys in all; those that are there are put in anew.
  ///
  /// - Parameters:
  ///   - count: The number of keys in all.
  ///   - keyCount: The number of handles handed out so far.
  ///   - free: Those of them that are not in use.
  ///   - hashOf: Returns the hash of a handle's key.
  @inline(__always)
  mutating func reserve(
    count: Int, keyCount: Int, free: ContiguousArray<Int32>, hashOf: (Int32) -> UInt64
  ) {
    let slotCount = max(16, slots.count * 2, count + count / 3 + 1)
    slots = ContiguousArray(repeating: Self.empty, count: slotCount)
    // A handle is less than the number of slots, and a slot in use is never all ones.
    handleMask = UInt32.max >> UInt32(UInt32(slotCount).leadingZeroBitCount)
    var isFree = ContiguousArray(repeating: false, count: free.isEmpty ? 0 : keyCount)
    for handle in free { isFree[Int(handle)] = true }
    for handle in 0..<keyCount where isFree.isEmpty || !isFree[handle] {
      let hash = hashOf(Int32(handle))
      put(Int32(handle), hash: hash, inSlot: slot(hash: hash) { _ in false })
    }
  }

  private func following(_ slot: Int) -> Int { slot + 1 == slots.count ? 0 : slot + 1 }

  private func distance(from start: Int, to end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }
}
