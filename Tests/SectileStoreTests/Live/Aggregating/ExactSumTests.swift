import Foundation
import SectileCore
import Testing

/// Sums without rounding.
@Suite struct ExactSumTests {
  /// The sums of `Fixtures/exact-sums.txt`, from another implementation.
  @Test func sumsAreThoseOfFractions() throws {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/exact-sums", withExtension: "txt"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    #expect(lines.count == 400)
    for line in lines {
      let words = line.split(separator: " ")
      var sum = ExactSum()
      for word in words[1..<(words.count - 2)] { try add(word, to: &sum) }
      let count = try #require(Int(words[0]))
      let expected = try #require(UInt64(words[words.count - 1]))
      #expect(
        sum.rounded(dividedBy: count) == Double(bitPattern: expected), "\(line)")
    }
  }

  private func add(_ word: Substring, to sum: inout ExactSum) throws {
    if word.hasPrefix("i") {
      sum.add(try #require(Int128(word.dropFirst())))
    } else if word.hasPrefix("-r") {
      let bits = try #require(UInt64(word.dropFirst(2)))
      sum.add(Double(bitPattern: bits), isAdded: false)
    } else {
      sum.add(Double(bitPattern: try #require(UInt64(word.dropFirst()))))
    }
  }

  @Test func whatIsTakenAwayLeavesNothing() {
    var sum = ExactSum()
    for value in [1e308, 1, 1e-300, 0.1, Double.leastNonzeroMagnitude] { sum.add(value) }
    for value in [1e308, 1e-300, 0.1, Double.leastNonzeroMagnitude] {
      sum.add(value, isAdded: false)
    }
    #expect(sum.rounded() == 1)
  }

  @Test func sumsAddUp() {
    var one = ExactSum()
    var other = ExactSum()
    for value in [0.1, -1e200, 3e-5] { one.add(value) }
    for value in [0.2, 1e200, -3e-5] { other.add(value) }
    one.add(other, isAdded: true)
    #expect(one.rounded() == 0.1 + 0.2)
    one.add(other, isAdded: false)
    other.add(other, isAdded: false)
    #expect(one.rounded() == -1e200)
    #expect(other.rounded() == 0)
  }

  @Test func infiniteNumbersAreCounted() {
    var sum = ExactSum()
    sum.add(.infinity)
    sum.add(4.0)
    #expect(sum.rounded() == .infinity)
    sum.add(-.infinity)
    #expect(sum.rounded() == nil)
    sum.add(.infinity, isAdded: false)
    #expect(sum.rounded() == -.infinity)
    sum.add(-.infinity, isAdded: false)
    #expect(sum.rounded() == 4)
  }

  @Test func carriesOfManyNumbersAreHandedOn() {
    var sum = ExactSum()
    for _ in 0..<100_000 { sum.add(0.1) }
    // The nearest to 100,000 times the number that 0.1 is.
    #expect(sum.rounded() == 10_000.000000000000555111512312578)
    for _ in 0..<100_000 { sum.add(0.1, isAdded: false) }
    #expect(sum.rounded() == 0)
  }
}
