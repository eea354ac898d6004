import SectileCore
import Testing

@Suite struct JitterTests {
  @Test func sameSeedGivesTheSameNumbers() {
    let (first, second) = (Jitter(seed: 5), Jitter(seed: 5))
    #expect((0..<50).map { _ in first.next() } == (0..<50).map { _ in second.next() })
  }

  @Test func numbersAreSpreadBetweenZeroAndOne() {
    let jitter = Jitter(seed: 1)
    let numbers = (0..<1_000).map { _ in jitter.next() }
    #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 })
    #expect((400...600).contains(numbers.count { $0 < 0.5 }))
  }

  @Test func withoutASeedNumbersAreOthersEveryTime() {
    #expect(Jitter(seed: nil).next() != Jitter(seed: nil).next())
  }
}
