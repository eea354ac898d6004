import SectileCore
import SectileRemote
import SectileTestSupport
import Testing

/// Random schedules of loads, failures, cancellations and changes on the server, in virtual time.
@Suite(.timeLimit(.minutes(60))) struct RemoteFaultTests {
  /// 2,400 seeds, in stretches that run side by side.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func randomFaultsLoseNothingAndEndEveryLoadOnce(_ stretch: UInt64) async {
    for seed in stretch * 300..<stretch * 300 + 300 {
      let schedule = FaultSchedule(seed: seed)
      schedule.run()
      await Task.yield()
      let problems = schedule.problems
      #expect(problems.isEmpty, "seed \(seed): \(problems)\n\(schedule.log)")
      if !problems.isEmpty { return }
    }
  }

  @Test func schedulesReachWhatTheyAreMeantToReach() async {
    var reached: [String: Int] = [:]
    for seed in 0..<300 as Range<UInt64> {
      let schedule = FaultSchedule(seed: seed)
      schedule.run()
      await Task.yield()
      for word in Set(schedule.reached) { reached[word, default: 0] += 1 }
    }
    for word in FaultSchedule.meant {
      #expect((reached[word] ?? 0) >= 10, "\(word): \(reached[word] ?? 0) of 300 schedules")
    }
  }
}
