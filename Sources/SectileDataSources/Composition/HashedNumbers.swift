/// The numbers of elements by the hashes of what identifies them, made at once and never changed.
///
/// ```text
/// slot     0   1   2   3   4   5   6   7   one array of numbers, twice as long as there are
/// number   ·   2   ·   0   1   ·   ·   3   by hash; where a slot is taken, the next free one
/// ```
///
/// What the elements are is not kept here: whoever looks one up says which of the few numbers that
/// come into question is meant. So elements that are gone, or whose numbers others have now, need
/// not be taken out.
struct HashedNumbers: Sendable {
  private var slots: ContiguousArray<Int32> = []

  /// Creates a table of nothing.
  init() {}

  /// Creates a table of the numbers from zero on.
  ///
  /// - Parameter hashes: The hash of each element, by its number.
  /// - Complexity: O(*n*).
  init(_ hashes: ContiguousArray<Int>) {
    guard !hashes.isEmpty else { return }
    slots = ContiguousArray(repeating: -1, count: 2 * hashes.count)
    slots.withUnsafeMutableBufferPointer { slots in
      for (number, hash) in hashes.enumerated() {
        var slot = Self.slot(of: hash, count: slots.count)
        while slots[slot] >= 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
        slots[slot] = Int32(number)
      }
    }
  }

  /// Returns the first number at a hash that is the one wanted, or nil.
  ///
  /// - Complexity: O(1) questions, on average.
  func first(at hash: Int, where isWanted: (Int32) -> Bool) -> Int32? {
    guard !slots.isEmpty else { return nil }
    var slot = Self.slot(of: hash, count: slots.count)
    while slots[slot] >= 0 {
      if isWanted(slots[slot]) { return slots[slot] }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return nil
  }

  /// Spreads hashes evenly over any number of slots, without a division.
  private static func slot(of hash: Int, count: Int) -> Int {
    Int(UInt(bitPattern: hash).multipliedFullWidth(by: UInt(count)).high)
  }
}
