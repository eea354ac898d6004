import Testing

@testable import SectileCore
@testable import SectileDataSources

/// What inputs tell is kept apart by commit, and in order for each input.
@Suite struct InputBatchesTests {
  /// Batches, with the waves and the hub that their shares need.
  private final class World {
    var batches = InputBatches<String>()
    let hub = DataSourceEvents<Int, Int>(height: 2)
    let waves = (0..<8).map { Wave(ticket: UInt64($0)) }

    /// Returns the number of the batch, if it is a new one.
    func add(_ news: String, _ input: Int, _ numbers: Int...) -> Int? {
      let waves = numbers.map { self.waves[$0] }
      return batches.add(news, ofInput: input, in: waves, join: { hub.join(waves) })?.number
    }
  }

  @Test func whatOneCommitChangedIsOneBatch() {
    let world = World()
    #expect(world.add("a1", 0, 1) == 0)
    #expect(world.add("b1", 1, 1) == nil)
    #expect(world.add("a2", 0, 2) == 1)
    #expect(world.add("a1 again", 0, 1) == nil)
    #expect(world.batches.take(0) == ["a1", "b1", "a2", "a1 again"])
    #expect(world.batches.take(1) == [])
    #expect(world.batches.isEmpty)
  }

  @Test func batchesStandInOrderAndAreTakenOnce() {
    let world = World()
    #expect(world.add("a1", 0, 1) == 0)
    #expect(world.add("a2", 0, 2) == 1)
    #expect(world.add("b2", 1, 2) == nil)
    #expect(world.batches.take(0) == ["a1"])
    #expect(world.batches.take(0) == [])
    // What comes once the batch is gone is another one.
    #expect(world.add("b1", 1, 1) == 2)
    #expect(world.batches.take(1) == ["a2", "b2"])
    #expect(world.batches.take(2) == ["b1"])
  }

  @Test func whatNoCommitCausedStandsAlone() {
    let world = World()
    #expect(world.add("a", 0) == 0)
    #expect(world.add("b", 1) == 1)
    #expect(world.batches.take(0) == ["a"])
    #expect(world.batches.take(1) == ["b"])
  }

  @Test func commitsThatCameInDifferentOrdersBecomeOneBatch() {
    let world = World()
    #expect(world.add("a1", 0, 1) == 0)
    #expect(world.add("b2", 1, 2) == 1)
    #expect(world.add("a3", 0, 3) == 2)
    #expect(world.add("a2", 0, 2) == nil)
    #expect(world.add("b1", 1, 1) == nil)
    #expect(world.batches.take(0) == ["a1", "b2", "a3", "a2", "b1"])
    #expect(world.batches.take(1) == [])
    #expect(world.batches.take(2) == [])
  }

  @Test func inputThatTellsOfTwoCommitsAtOnceJoinsTheirBatches() {
    let world = World()
    #expect(world.add("a1", 0, 1) == 0)
    #expect(world.add("a2", 0, 2) == 1)
    #expect(world.add("b", 1, 2, 1, 3) == nil)
    #expect(world.add("c3", 2, 3) == nil)
    #expect(world.batches.take(0) == ["a1", "a2", "b", "c3"])
  }
}
