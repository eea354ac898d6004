import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct SlotsTests {
  /// How many are inside at a time.
  private final class Crowd: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  @Test func slotsLetSoManyPass() async throws {
    let (slots, crowd) = (Slots(count: 2), Crowd())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await slots.take {
            crowd.enter()
            // Nobody leaves before two were inside together; then there is time for a third.
            while crowd.most < 2 { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(2))
            crowd.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(crowd.most == 2)
  }

  @Test func othersHaveTheirTurnInTheOrderInWhichTheyCame() {
    let (executor, slots) = (ManualExecutor(), Slots(count: 1))
    let steps = Mutex<[String]>([])
    for name in ["a", "b", "c"] {
      _ = Task(executorPreference: executor) { @Sendable in
        await slots.take {
          steps.withLock { $0.append("\(name) in") }
          await Task.yield()
          steps.withLock { $0.append("\(name) out") }
        }
      }
    }
    executor.runUntilIdle()
    #expect(steps.withLock { $0 } == ["a in", "a out", "b in", "b out", "c in", "c out"])
  }
}
