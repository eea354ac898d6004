internal import FoundationEssentials
internal import SectileCore
internal import Synchronization

/// What a ``FeedClient`` does, apart from the client itself, so that a connection does not keep the
/// client alive.
final class FeedFollower<
  ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable
>: Sendable {
  typealias Report = FeedReport<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. The hub is told inside it what happens, so that this stands in
  // order; it calls nobody before it is flushed, which happens outside.
  struct State {
    var standing = FeedClientState.ended(nil)
    var error: FeedClientError?
    /// The number of the connection; what belongs to an earlier one is not heard any more.
    var turn = 0
    var task: Task<Void, Never>?
    var load: OpenLoad<ItemID, Item>?
    /// Whether the next connection may be that of another list.
    var forgets = false
    /// Whether the contents were whole once.
    var hasContents = false
    /// Whether listeners were told of a failure that is not over.
    var isFailureTold = false
    /// The service said that it cannot read its source.
    var isSourceFailed = false
    /// When the service was last heard of.
    var heard = (elapsed: Duration.zero, date: Date.distantPast)
    /// Whether a part is being taken in: a client that is busy does not take the service for
    /// silent.
    var isTaking = false
    /// When it was last heard of by a client that was live, or was told contents.
    var lastLive = Date.distantPast
    /// Since when this connection is live.
    var liveSince: Duration?
    var heartbeat: Duration
    var retry: Duration?
    var watchers: [Int: AsyncStream<FeedClientState>.Continuation] = [:]
    var lastWatcher = 0
  }

  let shown: ShownContents<ItemID, Item>
  var events: DataSourceEvents<ItemID, Item> { shown.events }
  let transport: any FeedTransport
  let configuration: FeedClientConfiguration
  let intake: FeedIntake<ItemID, Item>
  let elapsed: @Sendable () -> Duration
  let random: Jitter
  let state: Mutex<State>

  init(
    _ shown: ShownContents<ItemID, Item>, _ transport: any FeedTransport,
    _ configuration: FeedClientConfiguration
  ) {
    self.shown = shown
    self.transport = transport
    self.configuration = configuration
    intake = FeedIntake(configuration)
    elapsed = Self.stopwatch(configuration.clock)
    random = Jitter(seed: configuration.jitterSeed)
    state = Mutex(State(heartbeat: configuration.heartbeat))
  }

  private static func stopwatch<Measure: Clock>(
    _ clock: Measure
  ) -> @Sendable () -> Duration where Measure.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  // MARK: - Beginning and ending

  /// Begins to follow, or tries at once where a wait is under way.
  func load() {
    let former = state.withLock { state -> Task<Void, Never>? in
      events.resume()
      if state.task != nil {
        if state.standing == .live {
          tellUnchanged()
          return nil
        }
        if state.load != nil { return nil }
      }
      let load = OpenLoad(events)
      load.begin()
      state.load = load
      state.isFailureTold = false
      state.turn += 1
      become(waiting(state), &state)
      let turn = state.turn
      let former = state.task
      state.task = Task(executorPreference: configuration.executor) { await self.run(turn) }
      return former
    }
    former?.cancel()
    events.flush()
  }

  /// Ends everything that is under way.
  func cancel() {
    let (task, finish) = state.withLock { state in
      let task = state.task
      end(nil, &state)
      return (task, events.stop())
    }
    task?.cancel()
    finish()
  }

  /// Ends, since the client is released; calls nobody.
  func release() {
    let (task, watchers) = state.withLock { state in
      let task = state.task
      end(nil, &state)
      defer { state.watchers = [:] }
      return (task, state.watchers.values.map { $0 })
    }
    task?.cancel()
    for watcher in watchers { watcher.finish() }
  }

  func end(_ error: FeedClientError?, _ state: inout State) {
    state.turn += 1
    state.task = nil
    state.load = nil
    state.liveSince = nil
    become(.ended(error), &state)
  }

  // MARK: - Connections

  private func run(_ first: Int) async {
    var turn = first
    var failures = 0
    while !Task.isCancelled {
      guard let error = await attempt(turn) else { return }
      guard let next = note(error, turn, &failures) else { return }
      turn = next.turn
      guard (try? await configuration.clock.sleep(for: next.delay)) != nil else { return }
    }
  }

  /// Follows one connection to its end.
  ///
  /// Giving up is immediate, whether the transport notices its cancellation or not.
  ///
  /// - Returns: Why it ended; nil where the client did.
  private func attempt(_ turn: Int) async -> FeedClientError? {
    guard let forgets = beginAttempt(turn),
      let position = await intake.begin(turn, forgets: forgets)
    else { return nil }
    // Not before: one that is given up meanwhile leaves it to the next.
    state.withLock { state in
      if state.turn == turn { state.forgets = false }
    }
    let (endings, ending) = AsyncStream<FeedClientError>.makeStream(
      bufferingPolicy: .bufferingOldest(1))
    let stream = Task(executorPreference: configuration.executor) {
      do {
        try await self.transport.stream(after: position) { part in
          do {
            try await self.take(part, turn)
          } catch {
            // Said here: what a transport makes of what it was thrown is its own affair.
            if let error = error as? FeedClientError { ending.yield(error) }
            throw error
          }
        }
        ending.yield(.streamEnded)
      } catch {
        ending.yield((error as? FeedClientError) ?? .unreachable(error))
      }
    }
    let watch = Task(executorPreference: configuration.executor) {
      if await self.isSilent(turn) { ending.yield(.silent) }
    }
    defer {
      stream.cancel()
      watch.cancel()
    }
    for await error in endings { return error }
    return nil
  }

  private func beginAttempt(_ turn: Int) -> Bool? {
    let now = elapsed()
    return state.withLock { state -> Bool? in
      guard state.turn == turn else { return nil }
      state.heard.elapsed = now
      state.isTaking = false
      state.liveSince = nil
      state.isSourceFailed = false
      state.heartbeat = configuration.heartbeat
      return state.forgets
    }
  }

  /// Waits until nothing was heard for the time of three heartbeats; returns false where the
  /// connection has ended before.
  private func isSilent(_ turn: Int) async -> Bool {
    while true {
      let now = elapsed()
      let wait = state.withLock { state -> Duration? in
        guard state.turn == turn else { return nil }
        let rest = state.heartbeat * 3 - (now - state.heard.elapsed)
        if state.isTaking, rest <= .zero {
          // It is the client that is held up; so nobody knows whether the service is there.
          if state.standing == .live { become(waiting(state), &state) }
          return state.heartbeat
        }
        // The service may tell of shorter heartbeats meanwhile.
        return min(rest, state.heartbeat)
      }
      guard let wait else { return false }
      if wait <= .zero { return true }
      guard (try? await configuration.clock.sleep(for: wait.waitable)) != nil else { return false }
    }
  }

  // MARK: - Standing

  func become(_ standing: FeedClientState, _ state: inout State) {
    guard standing != state.standing else { return }
    state.standing = standing
    for watcher in state.watchers.values { watcher.yield(standing) }
  }

  var standing: FeedClientState { state.withLock { $0.standing } }
  var error: FeedClientError? { state.withLock { $0.error } }

  func standings() -> AsyncStream<FeedClientState> {
    let (stream, watcher) = AsyncStream<FeedClientState>.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    let number = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = watcher
      watcher.yield(state.standing)
      return state.lastWatcher
    }
    watcher.onTermination = { [weak self] _ in
      let former = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
      withExtendedLifetime(former) {}
    }
    return stream
  }
}
