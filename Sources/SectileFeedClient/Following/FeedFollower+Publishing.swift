internal import SectileCore
internal import Synchronization

extension FeedFollower {
  private typealias Cycle = LoadCycle<ItemID, Item>

  // MARK: - What the service says

  func take(_ part: FeedStreamPart, _ turn: Int) async throws {
    guard hear(turn) else { throw CancellationError() }
    defer { endTaking(turn) }
    switch part {
    case .head(let head): try head.requireStream()
    case .bytes(let bytes):
      guard let report = await intake.take(bytes, turn), publish(report, turn) else {
        throw CancellationError()
      }
      if let error = report.error { throw error }
    }
  }

  private func hear(_ turn: Int) -> Bool {
    let now = (elapsed: elapsed(), date: configuration.now())
    return state.withLock { state in
      guard state.turn == turn else { return false }
      state.heard = now
      state.isTaking = true
      return true
    }
  }

  private func endTaking(_ turn: Int) {
    let now = elapsed()
    state.withLock { state in
      guard state.turn == turn else { return }
      state.heard.elapsed = now
      state.isTaking = false
    }
  }

  private func publish(_ report: Report, _ turn: Int) -> Bool {
    let now = elapsed()
    let isCurrent = state.withLock { state in
      guard state.turn == turn else { return false }
      let wasLive = state.standing == .live
      if wasLive { state.lastLive = state.heard.date }
      if let heartbeat = report.heartbeat { state.heartbeat = heartbeat }
      if let retry = report.retry { state.retry = retry }
      for news in report.news { publish(news, &state) }
      if let whole = report.whole, !state.isSourceFailed { goLive(whole, now, &state) }
      let hasLeft = wasLive && state.standing != .live
      // Why a stream ends is told where that is noted, and a source that fails was told above.
      if hasLeft, report.error == nil, !state.isFailureTold { tell(.toldAnew, &state) }
      return true
    }
    events.flush()
    return isCurrent
  }

  private func publish(_ news: Report.News, _ state: inout State) {
    switch news {
    case .left:
      if state.standing == .live { become(waiting(state), &state) }
    case .contents(let contents, let changes):
      if changes == nil { state.isSourceFailed = false }
      state.hasContents = true
      state.lastLive = state.heard.date
      shown.submit(contents, changes)
    case .failed(let error):
      state.isSourceFailed = true
      tell(error, &state)
    case .recovered: state.isSourceFailed = false
    }
  }

  private func goLive(
    _ contents: FoldedContents<ItemID, Item>, _ now: Duration, _ state: inout State
  ) {
    guard state.standing != .live else { return }
    // What an earlier connection brought may have been dropped on the way.
    shown.submit(contents, nil)
    state.hasContents = true
    if state.liveSince == nil { state.liveSince = now }
    if let load = state.load {
      load.finish()
      state.load = nil
    } else if state.isFailureTold {
      tellUnchanged()
    }
    state.isFailureTold = false
    state.error = nil
    state.lastLive = state.heard.date
    become(.live, &state)
  }

  // MARK: - Failures

  /// Takes in why a connection ended.
  ///
  /// - Returns: How long to wait, and the number of the next one; nil where there is none.
  func note(
    _ error: FeedClientError, _ turn: Int, _ failures: inout Int
  ) -> (turn: Int, delay: Duration)? {
    let (now, jitter) = (elapsed(), random.next())
    let next = state.withLock { state -> (turn: Int, delay: Duration)? in
      guard state.turn == turn else { return nil }
      if let since = state.liveSince, now - since >= state.heartbeat { failures = 0 }
      failures += 1
      tell(error, &state)
      guard !error.isFinal else {
        state.forgets = true
        end(error, &state)
        return nil
      }
      state.turn += 1
      let delay = configuration.delay(
        after: failures, retry: state.retry, retryAfter: error.retryAfter, jitter: jitter)
      return (state.turn, delay)
    }
    events.flush()
    return next
  }

  /// Tells listeners of a failure: once for each time that the client is not live, and where it
  /// does not come back.
  private func tell(_ error: FeedClientError, _ state: inout State) {
    state.error = error
    if let load = state.load {
      load.fail(error)
      state.load = nil
      state.isFailureTold = true
    } else if !state.isFailureTold || error.isFinal {
      events.submit(Cycle.failed(error))
      state.isFailureTold = true
    }
    if state.standing == .live { become(waiting(state), &state) }
  }

  /// Queues a lifecycle without changes: what is shown is right.
  func tellUnchanged() {
    events.submit(Cycle([Cycle.Step(flip: { nil })]))
  }

  func waiting(_ state: State) -> FeedClientState {
    state.hasContents ? .stale(since: state.lastLive) : .connecting
  }
}
