import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite struct HashedNumbersTests {
  @Test func everyNumberIsFoundAtItsHash() {
    var random = SeededRandom(seed: 1)
    for count in [1, 2, 3, 10, 64, 1_000] {
      // Some hashes are the same, and some lead to the last slots and around the end.
      let hashes = ContiguousArray(
        (0..<count).map { number -> Int in
          switch number % 4 {
          case 0: 5
          case 1: -1
          default: Int(truncatingIfNeeded: random.next())
          }
        })
      let numbers = HashedNumbers(hashes)
      for (number, hash) in hashes.enumerated() {
        #expect(numbers.first(at: hash) { $0 == number } == Int32(number))
      }
      #expect(numbers.first(at: 5) { _ in false } == nil)
      #expect(numbers.first(at: -1) { _ in false } == nil)
    }
  }

  @Test func nothingIsFoundInAnEmptyTable() {
    #expect(HashedNumbers().first(at: 3) { _ in true } == nil)
    #expect(HashedNumbers([]).first(at: 3) { _ in true } == nil)
  }
}
