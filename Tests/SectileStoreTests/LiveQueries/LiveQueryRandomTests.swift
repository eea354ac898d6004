import Foundation
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random queries as live results; `SECTILE_RANDOM_SEEDS=1000` runs as many seeds, each of six
/// results and twenty transactions, and prints what they did.
@Suite(.timeLimit(.minutes(60))) struct LiveQueryRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 16, release: 160, of: 4))
  func everyChangesetIsExact(_ seeds: Range<UInt64>) async throws {
    var tally = LiveQueryRun.Tally()
    for seed in seeds {
      await Task.yield()
      let run = LiveQueryRun(seed: seed)
      do {
        guard let failure = try run.failure(&tally) else { continue }
        Issue.record("\(run): \(failure)")
      } catch {
        Issue.record("\(run): \(error)")
      }
      return
    }
    // Otherwise nothing was tried.
    #expect(tally.comparisons > 20 * seeds.count, "seeds \(seeds): \(tally.summary)")
    #expect(tally.changesets > seeds.count, "seeds \(seeds): \(tally.summary)")
    #expect(tally.refusedStatements * 10 < tally.statements * 7, "seeds \(seeds)")
    #expect(tally.leftOut * 2 < tally.followed, "seeds \(seeds): \(tally.summary)")
    if ProcessInfo.processInfo.environment["SECTILE_RANDOM_SEEDS"] != nil { print(tally.summary) }
  }
}
