import Testing

@testable import SectileCore

@Suite struct FenwickTreeTests {
  @Test func everySizeCountsLikeAnArray() {
    var random = SplitMix(seed: 1)
    for size in 0...40 {
      var numbers = (0..<size).map { _ in random.number(below: 4) }
      var tree = FenwickTree(count: size) { numbers[$0] }
      for _ in 0..<10 {
        check(tree, numbers)
        guard size > 0 else { continue }
        let position = random.number(below: size)
        let difference = random.number(below: 5) - min(2, numbers[position])
        numbers[position] += difference
        tree.add(difference, at: position)
      }
    }
  }

  private func check(_ tree: FenwickTree, _ numbers: [Int]) {
    var sum = 0
    #expect(tree.total == numbers.reduce(0, +))
    for (position, number) in numbers.enumerated() {
      #expect(tree.sum(before: position) == sum)
      for remainder in 0..<number {
        let found = tree.position(at: sum + remainder)
        #expect(found.position == position && found.remainder == remainder)
      }
      sum += number
    }
    #expect(tree.position(at: sum).position == numbers.count)
  }
}
