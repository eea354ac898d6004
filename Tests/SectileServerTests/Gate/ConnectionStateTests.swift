#if Server
  import NIOCore
  import Testing

  @testable import SectileServer

  /// Until when a connection may wait: ten seconds for a head, a minute between two requests, and
  /// half a minute for somebody who does not read.
  struct ConnectionStateTests {
    private let state = ConnectionState(limits: ConnectionLimits()) { _ in }

    /// Does something, and returns the moments before and after it.
    private func around(_ body: () -> Void) -> (before: NIODeadline, after: NIODeadline) {
      let before = NIODeadline.now()
      body()
      return (before, .now())
    }

    /// Expects a connection to wait for so long after a moment that lies between two.
    private func expectWait(
      _ time: TimeAmount, after moments: (before: NIODeadline, after: NIODeadline),
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        !state.isOverdue(at: moments.before + time - .nanoseconds(1)),
        sourceLocation: sourceLocation)
      #expect(state.isOverdue(at: moments.after + time), sourceLocation: sourceLocation)
    }

    @Test func headIsWaitedForFromItsFirstByte() {
      expectWait(.seconds(10), after: around { _ = state.bytesArrived(1) })
    }

    @Test func bytesThatTrickleDoNotPutTheEndOff() {
      let first = around { _ = state.bytesArrived(1) }
      while NIODeadline.now() <= first.after {}
      for _ in 0..<100 { #expect(state.bytesArrived(1)) }
      expectWait(.seconds(10), after: first)
    }

    @Test func answerIsNotWaitedForAndTheNextRequestIsForLonger() {
      _ = state.bytesArrived(100)
      state.headArrived()
      state.requestBegan()
      #expect(!state.isOverdue(at: NIODeadline.now() + TimeAmount.hours(1)))
      expectWait(.seconds(60), after: around { state.requestEnded() })
      // Where a part of it is there, its head has begun.
      expectWait(.seconds(10), after: around { _ = state.bytesArrived(1) })
    }

    @Test func clientThatDoesNotReadIsWaitedForUntilItReads() {
      state.requestBegan()
      expectWait(.seconds(30), after: around { state.writabilityChanged(false) })
      state.writabilityChanged(true)
      #expect(!state.isOverdue(at: NIODeadline.now() + TimeAmount.hours(1)))
    }
  }
#endif
