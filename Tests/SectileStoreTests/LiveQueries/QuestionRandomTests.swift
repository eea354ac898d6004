import Foundation
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random tables, queries and transactions; `SECTILE_RANDOM_SEEDS=1000` runs as many seeds, each of
/// twelve queries and 25 transactions, and prints what they did.
@Suite(.timeLimit(.minutes(60))) struct QuestionRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 12, release: 120, of: 3))
  func everyChangedRowIsAnswered(_ seeds: Range<UInt64>) async throws {
    var tally = QuestionHarness.Tally()
    for seed in seeds {
      await Task.yield()
      try QuestionHarness(seed: seed).run(into: &tally)
    }
    #expect(
      tally.problems.isEmpty, "\(tally.problems.count): \(tally.problems.first ?? "")")
    // Otherwise nothing was tried.
    #expect(tally.changedResults > 5 * seeds.count, "seeds \(seeds): \(tally.summary)")
    #expect(tally.placedKeys > 5 * seeds.count, "seeds \(seeds): \(tally.summary)")
    #expect(tally.refusedStatements * 10 < tally.statements * 7, "seeds \(seeds)")
    #expect(
      tally.refused.count * 10 <= tally.queries,
      "\(tally.summary): \(tally.refused.joined(separator: "\n"))")
    // An answer of everything is never wrong, and of no use.
    #expect(tally.everything * 3 < tally.checks * 2, "seeds \(seeds): \(tally.summary)")
    if ProcessInfo.processInfo.environment["SECTILE_RANDOM_SEEDS"] != nil { print(tally.summary) }
  }

  /// What is left out by chance: without the rule, chance finds rows that are missed.
  @Test(arguments: [QuestionRule.former, .nullable, .occurrence, .having])
  func withoutARuleRowsAreMissed(_ rule: QuestionRule) async throws {
    for seed in UInt64(0)..<60 {
      await Task.yield()
      var tally = QuestionHarness.Tally()
      var harness = QuestionHarness(seed: seed)
      harness.leavingOut = [rule]
      try harness.run(into: &tally)
      if tally.problems.contains(where: { $0.contains("missed") }) { return }
    }
    Issue.record("seeds 0..<60 miss nothing without the rule \(rule)")
  }
}
