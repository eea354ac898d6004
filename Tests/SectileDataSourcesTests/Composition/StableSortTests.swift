import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite struct StableSortTests {
  @Test func equalKeysKeepTheirOrder() {
    var random = SeededRandom(seed: 2)
    for count in Array(0...40) + [63, 64, 65, 500] {
      for kinds in [1, 3, 1_000] {
        let keys = (0..<count).map { _ in Int.random(in: 0..<kinds, using: &random) }
        let given = ContiguousArray((0..<Int32(count)).shuffled(using: &random))
        let expected = given.enumerated().sorted { left, right in
          let (one, other) = (keys[Int(left.element)], keys[Int(right.element)])
          return one == other ? left.offset < right.offset : one < other
        }
        var numbers = given
        StableSort.sort(&numbers) { keys[Int($0)] < keys[Int($1)] }
        #expect(Array(numbers) == expected.map(\.element))
      }
    }
  }

  @Test func sortedKeysAreComparedOnceEach() {
    var comparisons = 0
    var numbers = ContiguousArray<Int32>(0..<4_096)
    StableSort.sort(&numbers) { left, right in
      comparisons += 1
      return left < right
    }
    #expect(numbers == ContiguousArray(0..<4_096))
    #expect(comparisons < 4_096)
  }
}
