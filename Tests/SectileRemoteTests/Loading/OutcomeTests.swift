import SectileTestSupport
import Testing

@testable import SectileRemote

@Suite(.timeLimit(.minutes(60))) struct OutcomeTests {
  struct Broken: Error {}

  @Test func everyWaiterGetsTheFirstResult() async throws {
    let outcome = Outcome<Int>()
    async let first = outcome.value()
    async let second = outcome.value()
    outcome.settle(.success(1))
    outcome.settle(.success(2))
    #expect(try await [first, second] == [1, 1])
    #expect(try await outcome.value() == 1)
  }

  @Test func failureIsThrown() async {
    let outcome = Outcome<Int>()
    outcome.settle(.failure(Broken()))
    await #expect(throws: Broken.self) { try await outcome.value() }
  }

  @Test func cancelledWaiterLeavesTheOthersAlone() async throws {
    let outcome = Outcome<Int>()
    let executor = ManualExecutor()
    let quitter = Task(executorPreference: executor) { try await outcome.value() }
    let other = Task(executorPreference: executor) { try await outcome.value() }
    executor.runUntilIdle()
    quitter.cancel()
    executor.runUntilIdle()
    outcome.settle(.success(7))
    executor.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await quitter.value }
    #expect(try await other.value == 7)
  }

  @Test func taskThatIsCancelledBeforeItWaitsDoesNotWait() async {
    let outcome = Outcome<Int>()
    let executor = ManualExecutor()
    let quitter = Task(executorPreference: executor) { try await outcome.value() }
    quitter.cancel()
    executor.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await quitter.value }
  }
}
