import Foundation
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random tables and statements; `SECTILE_RANDOM_SEEDS=1000` runs 100,000 statements and more,
/// and prints what they did.
@Suite(.timeLimit(.minutes(60))) struct LogTriggerRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 40, release: 200, of: 5))
  func everyChangedRowIsNamed(_ seeds: Range<UInt64>) throws {
    var tally = LogWorld.Tally()
    for seed in seeds {
      let world = try LogWorld(seed: seed)
      try world.run(100)
      tally = tally + world.tally
    }
    #expect(tally.misses.isEmpty, "\(tally.misses.count): \(tally.misses.first ?? "")")
    #expect(tally.statements >= 100 * seeds.count)
    // Otherwise nothing was tried.
    #expect(tally.changedRows > 20 * seeds.count, "\(tally)")
    #expect(tally.refused * 10 < tally.statements * 9, "\(tally)")
    if ProcessInfo.processInfo.environment["SECTILE_RANDOM_SEEDS"] != nil { print(tally.summary) }
  }

  @Test func withoutGuardsRowsGoMissing() throws {
    var tally = LogWorld.Tally()
    for seed in 0..<UInt64(10) {
      let world = try LogWorld(seed: seed, isGuarded: false)
      try world.run(100)
      tally = tally + world.tally
    }
    #expect(tally.misses.count > 5, "\(tally.changedRows) rows changed")
  }
}
