#if Server
  import Testing

  @testable import SectileServer

  /// Which versions can be read, and until when.
  struct HeldVersionsTests {
    @Test func newestVersionIsAlwaysThere() {
      var held = HeldVersions<String>(limit: 3, time: .seconds(30))
      let start = ContinuousClock.now
      held.add(1, "a", at: start)
      held.prune(at: start + .seconds(1_000))
      #expect(held.snapshot(1) == "a")
      #expect(held.snapshot(2) == nil)
    }

    @Test func versionsGoByNumberAndTime() {
      var held = HeldVersions<String>(limit: 3, time: .seconds(30))
      let start = ContinuousClock.now
      for version in 1...5 { held.add(version, "\(version)", at: start + .seconds(version)) }
      #expect(held.snapshot(2) == nil)
      #expect(held.snapshot(3) == "3")
      #expect(held.count == 3)
      // The third was the newest until four seconds after the start.
      held.prune(at: start + .seconds(34))
      #expect(held.snapshot(3) == "3")
      held.prune(at: start + .seconds(34.5))
      #expect(held.snapshot(3) == nil)
      #expect(held.snapshot(4) == "4")
      held.prune(at: start + .seconds(100))
      #expect(held.count == 1)
      #expect(held.snapshot(5) == "5")
    }

    @Test func largeVersionsAreFewer() {
      var held = HeldVersions<String>(limit: 16, time: .seconds(30), rowLimit: 100)
      for version in 1...5 { held.add(version, "\(version)", rowCount: 30, at: .now) }
      #expect(held.count == 3)
      held.add(6, "6", rowCount: 1_000, at: .now)
      #expect(held.count == 2)
      #expect(held.snapshot(5) == "5")
    }

    @Test func sameVersionReplacesItself() {
      var held = HeldVersions<String>(limit: 3, time: .seconds(30))
      held.add(1, "a", at: .now)
      held.add(1, "b", at: .now)
      #expect(held.count == 1)
      #expect(held.snapshot(1) == "b")
    }
  }
#endif
