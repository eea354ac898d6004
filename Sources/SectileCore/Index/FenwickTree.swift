/// Running totals over an array of numbers that change: a Fenwick tree.
///
/// Entry *i* of the tree holds the total of the last `i & -i` numbers up to number *i* (counted
/// from one), so that a total needs one entry per bit of *i*:
///
/// ```text
/// numbers   3   1   4   1   5   9   2   6
/// tree      3       4       5       2          each number of odd place alone
///               4               14             the last two
///                       9                      the last four
///                                       31     the last eight
/// ```
struct FenwickTree: Sendable {
  // Half as wide as the totals: there are no more rows than handles.
  private var tree: ContiguousArray<Int32> = []
  private var highestBit = 0

  /// The total of all numbers.
  private(set) var total = 0

  init() {}

  init(count: Int, number: (Int) -> Int) {
    rebuild(count: count, number: number)
  }

  /// Replaces all numbers.
  ///
  /// - Complexity: O(*n*).
  mutating func rebuild(count: Int, number: (Int) -> Int) {
    tree.removeAll(keepingCapacity: true)
    tree.reserveCapacity(count)
    total = 0
    for position in 0..<count {
      let value = number(position)
      tree.append(Int32(value))
      total += value
    }
    for place in 1..<max(count + 1, 1) {
      let parent = place + (place & -place)
      if parent <= count { tree[parent - 1] += tree[place - 1] }
    }
    highestBit = count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
  }

  /// Appends a number.
  ///
  /// - Complexity: O(log *n*).
  mutating func append(_ number: Int) {
    let place = tree.count + 1
    tree.append(Int32(number + sumOfParts(of: place)))
    total += number
    if place & (place - 1) == 0 { highestBit = place }
  }

  /// Inserts a number before the one at a position, or at the end.
  ///
  /// - Complexity: O(*k*) for *k* numbers behind the position.
  mutating func insert(_ number: Int, at position: Int) {
    let numbers = removeNumbers(from: position)
    append(number)
    for number in numbers { append(number) }
  }

  /// Removes the number at a position.
  ///
  /// - Complexity: O(*k*) for *k* numbers behind the position.
  mutating func remove(at position: Int) {
    for number in removeNumbers(from: position).dropFirst() { append(number) }
  }

  private mutating func removeNumbers(from position: Int) -> ContiguousArray<Int> {
    var numbers = ContiguousArray(tree[position...].map(Int.init))
    for offset in numbers.indices {
      numbers[offset] -= sumOfParts(of: position + offset + 1)
      total -= numbers[offset]
    }
    tree.removeSubrange(position...)
    highestBit = tree.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - tree.count.leadingZeroBitCount)
    return numbers
  }

  /// The part of an entry that other entries hold too: all of it but the number at its own place.
  private func sumOfParts(of place: Int) -> Int {
    var sum = 0
    var part = place - 1
    while part > place & (place - 1) {
      sum += Int(tree[part - 1])
      part &= part - 1
    }
    return sum
  }

  /// Adds to the number at a position.
  ///
  /// - Complexity: O(log *n*).
  mutating func add(_ difference: Int, at position: Int) {
    total += difference
    var place = position + 1
    while place <= tree.count {
      tree[place - 1] += Int32(difference)
      place += place & -place
    }
  }

  /// Returns the total of the numbers before a position.
  ///
  /// - Complexity: O(log *n*).
  func sum(before position: Int) -> Int {
    var sum = 0
    var place = position
    while place > 0 {
      sum += Int(tree[place - 1])
      place &= place - 1
    }
    return sum
  }

  /// Returns the first position whose number reaches beyond `offset`, and what remains of `offset`
  /// there; the position is `count` where no number does.
  ///
  /// - Complexity: O(log *n*).
  func position(at offset: Int) -> (position: Int, remainder: Int) {
    tree.withUnsafeBufferPointer { tree in
      var place = 0
      var remainder = offset
      var step = highestBit
      while step > 0 {
        let next = place + step
        // Half of the steps go on: the two assignments are to become conditional moves.
        let sum = next <= tree.count ? Int(tree[next - 1]) : Int.max
        let isBefore = sum <= remainder
        place = isBefore ? next : place
        remainder -= isBefore ? sum : 0
        step >>= 1
      }
      return (place, remainder)
    }
  }
}
