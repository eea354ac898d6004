/// Chooses which elements of a list stay while the others move around them.
enum StationaryChoice {
  /// Finds a longest increasing subsequence; of several, the one that contains the first possible
  /// element, then the next possible, and so on.
  ///
  /// - Parameter values: Numbers that are all different: the positions after, in the order before.
  /// - Returns: The offsets of the subsequence, ascending.
  /// - Complexity: O(*n* log *n*).
  static func longestIncreasing(_ values: [Int]) -> [Int] {
    let lengths = suffixLengths(values)
    var wanted = lengths.max() ?? 0
    var chosen: [Int] = []
    chosen.reserveCapacity(wanted)
    for offset in values.indices where lengths[offset] == wanted {
      if let last = chosen.last, values[last] > values[offset] { continue }
      chosen.append(offset)
      wanted -= 1
    }
    return chosen
  }

  /// Returns for each value how long the longest increasing subsequence is that begins with it.
  private static func suffixLengths(_ values: [Int]) -> [Int] {
    var lengths = [Int](repeating: 0, count: values.count)
    // The greatest first value of the subsequences of each length, found so far from the end.
    var heads: [Int] = []
    for offset in values.indices.reversed() {
      let value = values[offset]
      let length = partition(heads.count) { heads[$0] <= value }
      if length == heads.count { heads.append(value) } else { heads[length] = value }
      lengths[offset] = length + 1
    }
    return lengths
  }

  /// Finds the elements that stay in a list of which only some elements may move.
  ///
  /// An element that may move stays only where the same of the others are before it as ever; of
  /// those, the most possible stay.
  ///
  /// - Parameters:
  ///   - sources: The positions before of elements that may move, ascending.
  ///   - targets: Their positions after, in the same order.
  ///   - shift: Everything that may move, leaves or enters.
  /// - Returns: The offsets of the elements that stay, ascending.
  static func stationary(sources: [Int], targets: [Int], shift: ListShift) -> [Int] {
    let candidates = sources.indices.filter {
      shift.gap(ofRemoved: sources[$0]) == shift.gap(ofInserted: targets[$0])
    }
    return longestIncreasing(candidates.map { targets[$0] }).map { candidates[$0] }
  }
}
