import SectileTestSupport
import Testing

/// Replicas of hubs with which everything goes wrong that may, by chance.
@Suite(.timeLimit(.minutes(60))) struct RandomReplicaTests {
  @Test(arguments: SeededRandom.batches(debug: 50, release: 200))
  func replicaIsTheHubWhateverHappens(_ seeds: Range<UInt64>) async throws {
    for seed in seeds {
      let course = try await ReplicaCourse(seed: seed)
      do {
        for _ in 0..<25 { try await course.step() }
        try await course.end()
      } catch {
        Issue.record("seed \(seed), after \(course.story.suffix(12)): \(error)")
        return
      }
    }
  }
}
