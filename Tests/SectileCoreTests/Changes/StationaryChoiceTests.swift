import Testing

@testable import SectileCore

@Suite struct StationaryChoiceTests {
  @Test(arguments: [
    ([], []), ([0], [0]), ([1, 0], [0]), ([2, 1, 0], [0]), ([1, 2, 0], [0, 1]),
    ([2, 0, 1], [1, 2]), ([0, 3, 1, 2], [0, 2, 3]), ([1, 0, 3, 2], [0, 2]),
  ])
  func earliestOfTheLongestStays(values: [Int], staying: [Int]) {
    #expect(StationaryChoice.longestIncreasing(values) == staying)
  }

  /// Every order of up to six elements against every subset.
  @Test func everyOrderAgreesWithTryingAll() {
    for size in 0...6 {
      for values in orders(of: Array(0..<size)) {
        var best: [Int] = []
        for choice in 0..<(1 << size) {
          let chosen = values.indices.filter { choice & (1 << $0) != 0 }
          let kept = chosen.map { values[$0] }
          guard kept == kept.sorted(), chosen.count >= best.count else { continue }
          if chosen.count > best.count || chosen.lexicographicallyPrecedes(best) { best = chosen }
        }
        #expect(StationaryChoice.longestIncreasing(values) == best, "\(values)")
      }
    }
  }

  private func orders(of values: [Int]) -> [[Int]] {
    if values.isEmpty { return [[]] }
    return values.indices.flatMap { offset in
      var rest = values
      let first = rest.remove(at: offset)
      return orders(of: rest).map { [first] + $0 }
    }
  }
}
