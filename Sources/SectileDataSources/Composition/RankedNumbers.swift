/// The numbers of rows in the order of their ranks.
struct RankedNumbers {
  let numbers: ContiguousArray<Int32>

  /// Puts numbers in order.
  ///
  /// - Parameters:
  ///   - ranks: The rank of each row by its number; no two are the same.
  ///   - limit: More than the highest rank.
  /// - Complexity: O(*n* + *l*) for a limit of *l*.
  init(_ ranks: ContiguousArray<Int32>, limit: Int) {
    let numbers = ContiguousArray(0..<Int32(ranks.count))
    guard !Self.isAscending(ranks) else {
      self.numbers = numbers
      return
    }
    var places = ContiguousArray<Int32>(repeating: -1, count: limit)
    for number in numbers { places[Int(ranks[Int(number)])] = number }
    places.removeAll { $0 < 0 }
    self.numbers = places
  }

  private static func isAscending(_ ranks: ContiguousArray<Int32>) -> Bool {
    for place in ranks.indices.dropFirst() where ranks[place] < ranks[place - 1] { return false }
    return true
  }
}
