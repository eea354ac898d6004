import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ManualClockTests {
  @Test func sleepersWakeInTheOrderOfTheirTimes() {
    let (clock, executor) = (ManualClock(), ManualExecutor())
    let woken = Mutex<[Int]>([])
    for seconds in [3, 1, 2, 1] {
      _ = Task(executorPreference: executor) { @Sendable in
        try await clock.sleep(for: .seconds(seconds))
        woken.withLock { $0.append(seconds) }
      }
    }
    executor.runUntilIdle()
    #expect(clock.sleeperCount == 4)
    #expect(clock.untilNextWake == .seconds(1))
    #expect(clock.advance(by: .seconds(2)) == 3)
    executor.runUntilIdle()
    #expect(woken.withLock { $0 } == [1, 1, 2])
    clock.advance(by: .seconds(1))
    executor.runUntilIdle()
    #expect(woken.withLock { $0 } == [1, 1, 2, 3])
    #expect(clock.untilNextWake == nil)
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func sleepThatIsOverDoesNotWait() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: clock.now, tolerance: nil)
    try await clock.sleep(for: .zero)
    #expect(clock.sleeperCount == 0)
  }

  @Test func cancelledSleeperWakesAtOnce() {
    let (clock, executor) = (ManualClock(), ManualExecutor())
    let errors = Mutex(0)
    let task = Task(executorPreference: executor) { @Sendable in
      do {
        try await clock.sleep(for: .seconds(1))
      } catch is CancellationError {
        errors.withLock { $0 += 1 }
      }
    }
    executor.runUntilIdle()
    task.cancel()
    executor.runUntilIdle()
    #expect(errors.withLock { $0 } == 1)
    #expect(clock.sleeperCount == 0)
    #expect(clock.advance(by: .seconds(2)) == 0)
  }
}
