import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct WaitersTests {
  /// A door, and who waits for it to open.
  private final class Door: Sendable {
    private struct State {
      var isOpen = false
      var waiters = Waiters<String>()
    }

    private let state = Mutex(State())

    var isAnybodyThere: Bool { state.withLock { !$0.waiters.isEmpty } }

    func wait() async -> String {
      await Waiters<String>.wait(cancellation: "cancelled") { waiter in
        state.withLock { state -> String? in
          if state.isOpen { return "was open" }
          state.waiters.append(waiter)
          return nil
        }
      } removing: { number in
        state.withLock { $0.waiters.remove(number) }
      }
    }

    func open() {
      let woken = state.withLock { state in
        state.isOpen = true
        return state.waiters.removeAll()
      }
      for waiter in woken { waiter.resume(returning: "opened") }
    }
  }

  private let executor = ManualExecutor()
  private let door = Door()
  private let journal = Journal()

  @discardableResult private func start(_ name: String) -> Task<Void, Never> {
    Task(executorPreference: executor) { @Sendable [door, journal] in
      let answer = await door.wait()
      journal.note("\(name) \(answer)")
    }
  }

  @Test func tasksAreWokenInTheOrderInWhichTheyCame() {
    for name in ["a", "b", "c"] { start(name) }
    executor.runUntilIdle()
    #expect(journal.lines == [])
    door.open()
    #expect(!door.isAnybodyThere)
    executor.runUntilIdle()
    #expect(journal.lines == ["a opened", "b opened", "c opened"])
  }

  @Test func whatIsThereIsNotWaitedFor() {
    door.open()
    start("a").cancel()
    executor.runUntilIdle()
    #expect(journal.lines == ["a was open"])
  }

  @Test func cancelledTaskLeavesAndOthersStay() {
    start("a")
    let second = start("b")
    executor.runUntilIdle()
    second.cancel()
    executor.runUntilIdle()
    #expect(journal.lines == ["b cancelled"])
    #expect(door.isAnybodyThere)
    door.open()
    executor.runUntilIdle()
    #expect(journal.lines == ["b cancelled", "a opened"])
  }

  @Test func taskThatIsCancelledBeforeItComesDoesNotWait() {
    start("a").cancel()
    executor.runUntilIdle()
    #expect(journal.lines == ["a cancelled"])
    #expect(!door.isAnybodyThere)
  }
}
