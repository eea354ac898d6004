import Testing

@testable import SectileCore

@Suite(.timeLimit(.minutes(60))) struct DurationWaitingTests {
  @Test func longestDurationCanBeWaitedFor() async {
    for duration in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
      let isWaiting = Task { try? await Task.sleep(for: duration.waitable) }
      await Task.yield()
      isWaiting.cancel()
      await isWaiting.value
    }
    #expect(Duration.seconds(Int64.min).waitable == .zero)
    #expect(Duration.seconds(5).waitable == .seconds(5))
  }
}
