import Testing

@testable import SectileCore

@Suite struct FirstInFirstOutTests {
  @Test(arguments: [1, 2, 31, 32, 33, 64, 65, 500])
  func elementsComeBackInOrder(_ count: Int) {
    var queue = FirstInFirstOut<Int>()
    var expected = 0
    for element in 0..<count {
      queue.append(element)
      // Every third element leaves while others arrive.
      if element % 3 == 2 {
        #expect(queue.popFirst() == expected)
        expected += 1
      }
    }
    #expect(queue.count == count - expected)
    while let element = queue.popFirst() {
      #expect(element == expected)
      expected += 1
    }
    #expect(expected == count)
    #expect(queue.isEmpty)
    #expect(queue.first == nil)
  }

  @Test func removingAllGivesTheRestBack() {
    var queue = FirstInFirstOut<Int>()
    (0..<5).forEach { queue.append($0) }
    _ = queue.popFirst()
    #expect(queue.removeAll() == [1, 2, 3, 4])
    #expect(queue.isEmpty)
  }
}
