import SectileTestSupport
import Testing

@Suite struct SeededRandomTests {
  @Test func firstNumbersAreThoseOfSplitMix64() {
    var random = SeededRandom(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func sameSeedGivesTheSameNumbers() {
    var first = SeededRandom(seed: 42)
    var second = SeededRandom(seed: 42)
    #expect((0..<100).map { _ in first.next() } == (0..<100).map { _ in second.next() })
  }

  @Test func descriptionNamesTheSeedAfterUseToo() {
    var random = SeededRandom(seed: 7)
    _ = random.next()
    #expect("\(random)" == "seed 7")
  }

  @Test func chanceKeepsToItsLimits() {
    var random = SeededRandom(seed: 3)
    #expect((0..<100).allSatisfy { _ in !random.chance(0) })
    #expect((0..<100).allSatisfy { _ in random.chance(1) })
    let half = (0..<1_000).count { _ in random.chance(0.5) }
    #expect((400...600).contains(half))
  }

  @Test func forkDoesNotDependOnWhatTheOtherPartUses() {
    var one = SeededRandom(seed: 5)
    var two = SeededRandom(seed: 5)
    var first = one.fork()
    _ = first.next()
    var second = two.fork()
    _ = (second.next(), second.next(), second.next())
    #expect(one.next() == two.next())
  }
}
