import SectileRemote
import SectileTestSupport
import Testing

@Suite struct RetryPolicyTests {
  static let busy = RemoteError(code: .wrongStatus, message: "busy", status: 503)

  @Test func waitsDoubleUpToTheMaximum() {
    let policy = RetryPolicy(attemptCountLimit: 6, firstDelay: .seconds(1), delayLimit: .seconds(5))
    let waits = (1...6).map { policy.delay(after: $0, error: Self.busy, jitter: 0) }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), nil])
  }

  @Test func jitterLeavesOutUpToHalfOfAWait() {
    let policy = RetryPolicy(firstDelay: .seconds(4))
    #expect(policy.delay(after: 1, error: Self.busy, jitter: 0.5) == .seconds(3))
    #expect((policy.delay(after: 1, error: Self.busy, jitter: 0.999) ?? .zero) >= .seconds(2))
  }

  @Test func manyAttemptsDoNotOverflow() {
    let policy = RetryPolicy(
      attemptCountLimit: .max, firstDelay: .seconds(1), delayLimit: .seconds(1 << 40))
    #expect(policy.delay(after: .max - 1, error: Self.busy, jitter: 0) == .seconds(1 << 30))
  }

  @Test func serviceThatAsksToBeLeftAloneIs() {
    let policy = RetryPolicy(firstDelay: .seconds(1), retryAfterLimit: .seconds(60))
    func wait(_ seconds: Int) -> Duration? {
      let error = RemoteError(
        code: .wrongStatus, message: "", status: 429, retryAfter: .seconds(seconds))
      return policy.delay(after: 1, error: error, jitter: 0)
    }
    #expect(wait(0) == .seconds(1))
    #expect(wait(60) == .seconds(60))
    #expect(wait(61) == nil)
  }

  @Test func oneAttemptIsNeverRepeated() {
    #expect(RetryPolicy.never.delay(after: 1, error: Self.busy, jitter: 0) == nil)
    #expect(RetryPolicy(attemptCountLimit: 0).delay(after: 1, error: Self.busy, jitter: 0) == nil)
  }

  struct Foreign: Error {}

  @Test(
    arguments: [
      (RemoteError(code: .timedOut, message: ""), true),
      (RemoteError(code: .connectionFailed, message: ""), true),
      (RemoteError(code: .malformedBody, message: ""), false),
      (RemoteError(code: .unexpectedShape, message: ""), false),
      (RemoteError(code: .bodyTooLarge, message: ""), false),
      (RemoteError(code: .wrongStatus, message: "", status: 404), false),
      (RemoteError(code: .wrongStatus, message: "", status: 429), true),
      (RemoteError(code: .wrongStatus, message: "", status: 503), true),
      (RemoteError(code: .wrongStatus, message: ""), false),
      (Foreign(), true), (CancellationError(), false),
    ] as [(any Error, Bool)])
  func onlyWhatMayPassIsTriedAgain(_ error: any Error, _ isTransient: Bool) {
    #expect(RetryPolicy.isTransient(error) == isTransient)
    #expect((RetryPolicy().delay(after: 1, error: error, jitter: 0) != nil) == isTransient)
  }
}
