import Foundation
import SectileCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct BlockingCallsTests {
  /// How many calls are inside at a time.
  private final class Crowd: Sendable {
    private let counts = Mutex<(now: Int, most: Int)>((0, 0))
    private let width: Int
    private let end = ContinuousClock.now + .seconds(240)

    var most: Int { counts.withLock { $0.most } }

    init(upTo width: Int) { self.width = width }

    /// Comes, and leaves when as many as there is room for were inside together.
    func pass() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      // Where that never comes about, the test shall fail and end.
      while most < width, ContinuousClock.now < end { usleep(1_000) }
      // Time for one more, who must not come.
      usleep(2_000)
      counts.withLock { $0.now -= 1 }
    }
  }

  @Test(arguments: [1, 3]) func noMoreCallsAreUnderWayThanThereIsRoomFor(width: Int) async throws {
    let (calls, crowd) = (BlockingCalls(width: width), Crowd(upTo: width))
    try await withThrowingTaskGroup(of: Int.self) { (group) async throws in
      for number in 0..<60 {
        group.addTask {
          try await calls.run {
            crowd.pass()
            return number
          }
        }
      }
      let sum = try await group.reduce(0, +)
      #expect(sum == 59 * 60 / 2)
    }
    #expect(crowd.most == width)
  }

  @Test func whatACallThrowsIsThrown() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await BlockingCalls.shared.run { throw Refusal() }
    }
  }

  @Test func aCancelledCallIsRunWhereItHasTo() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let isRun = try await BlockingCalls.shared.run(evenIfCancelled: true) { Task.isCancelled }
      await #expect(throws: CancellationError.self) { try await BlockingCalls.shared.run {} }
      return isRun
    }
    #expect(try await task.value)
  }
}
