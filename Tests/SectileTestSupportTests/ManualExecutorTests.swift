import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ManualExecutorTests {
  @Test func tasksTakeTurnsInTheOrderInWhichTheyBecameReady() {
    let executor = ManualExecutor()
    let steps = Mutex<[String]>([])
    for name in ["a", "b"] {
      _ = Task(executorPreference: executor) { @Sendable in
        for step in 1...2 {
          steps.withLock { $0.append("\(name)\(step)") }
          await Task.yield()
        }
      }
    }
    #expect(steps.withLock { $0 } == [])
    #expect(executor.run(atMost: 1) == 1)
    #expect(steps.withLock { $0 } == ["a1"])
    executor.runUntilIdle()
    #expect(steps.withLock { $0 } == ["a1", "b1", "a2", "b2"])
  }

  @Test func idleExecutorRunsNothing() {
    #expect(ManualExecutor().runUntilIdle() == 0)
  }
}
