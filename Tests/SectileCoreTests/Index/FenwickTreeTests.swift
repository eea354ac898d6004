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

  @Test func numbersCanComeAndGoAnywhere() {
    var random = SplitMix(seed: 2)
    var numbers: [Int] = []
    var tree = FenwickTree()
    for step in 0..<400 {
      if random.number(below: 5) > (step < 200 ? 1 : 2) {
        let position = random.number(below: numbers.count + 1)
        numbers.insert(random.number(below: 4), at: position)
        tree.insert(numbers[position], at: position)
      } else if random.number(below: 3) == 0 {
        numbers.append(random.number(below: 4))
        tree.append(numbers[numbers.count - 1])
      } else if !numbers.isEmpty {
        let position = random.number(below: numbers.count)
        numbers.remove(at: position)
        tree.remove(at: position)
      }
      check(tree, numbers)
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
