internal import SectileCore
internal import Synchronization

/// What runs for one client of a feed.
///
/// A task reads events, and another one sleeps until a heartbeat is due. Whoever writes asks for
/// chunks.
///
/// Events wait in one chunk. Where that is full the reading waits, so that a slow client costs the
/// memory of a chunk, and its feed merges what it misses, as always.
package final class FeedStream: Sendable {
  // MARK: - Mutable state
  //
  // All of it guarded by `state`; tasks are cancelled and woken, and closures called, outside.
  private struct State {
    var machine: FeedStreamMachine
    /// Who waits for something to write.
    var writers = Waiters<Void>()
    /// Who waits for room.
    var readers = Waiters<Void>()
    var reading: Task<Void, Never>?
    var timing: Task<Void, Never>?
    var writing: Task<Void, any Error>?
    /// Takes back that the feed says when it has ended.
    var takeBack: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let events: FeedEvents
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let isStillAuthorized: (@Sendable () async throws -> Bool)?
  private let didEnd: @Sendable (FeedStreamOutcome) -> Void

  /// Creates a stream, which begins by ``start()``.
  ///
  /// - Parameters:
  ///   - events: What the client is told.
  ///   - options: How it is told.
  ///   - elapsed: Tells the time since the client was known to be allowed.
  ///   - isStillAuthorized: Says whether it is; nil for everybody.
  ///   - didEnd: Hears once how the stream has ended.
  init(
    _ events: FeedEvents, _ options: FeedResponse.Options,
    elapsed: @escaping @Sendable () -> Duration,
    isStillAuthorized: (@Sendable () async throws -> Bool)?,
    didEnd: @escaping @Sendable (FeedStreamOutcome) -> Void
  ) {
    self.events = events
    self.elapsed = elapsed
    self.isStillAuthorized = isStillAuthorized
    self.didEnd = didEnd
    clock = options.clock
    let machine = FeedStreamMachine(
      options.sensible, asks: isStillAuthorized != nil, answered: .zero, at: elapsed())
    state = Mutex(State(machine: machine))
  }

  // MARK: - Beginning and ending

  /// Begins to read.
  func start() {
    let takeBack = events.whenEnded { [weak self] in self?.noteEnd() }
    let isOver = state.withLock { state -> Bool in
      guard state.machine.outcome == nil else { return true }
      state.takeBack = takeBack
      state.reading = Task.detached { await self.read() }
      if state.timing == nil { state.timing = makeTiming() }
      return false
    }
    if isOver { takeBack() }
  }

  /// The feed has ended: a client that does not read what is left is not waited for.
  private func noteEnd() {
    let former = state.withLock { state -> Task<Void, Never>? in
      guard state.machine.outcome == nil, !state.machine.isEnding else { return nil }
      state.machine.noteEnd()
      defer { state.timing = makeTiming() }
      return state.timing
    }
    former?.cancel()
  }

  /// Ends the stream with the events that it has: its server ends.
  package func finish() {
    let woken = state.withLock { state -> [Waiters<Void>.Waiter] in
      state.machine.complete()
      return state.writers.removeAll() + state.readers.removeAll()
    }
    for waiter in woken { waiter.resume() }
    noteEnd()
  }

  /// Has the client asked about again, before it is told anything else.
  func requestAnswer() {
    let woken = state.withLock { state -> [Waiters<Void>.Waiter] in
      state.machine.requestAnswer()
      return state.writers.removeAll()
    }
    for waiter in woken { waiter.resume() }
  }

  private struct Ending: Sendable {
    let outcome: FeedStreamOutcome
    let tasks: [Task<Void, Never>]
    let writing: Task<Void, any Error>?
    let takeBack: (@Sendable () -> Void)?
    let waiters: [Waiters<Void>.Waiter]
  }

  /// Ends the stream; what was not written is forgotten.
  func end(_ outcome: FeedStreamOutcome) {
    let ending = state.withLock { state -> Ending? in
      guard let outcome = state.machine.end(outcome) else { return nil }
      let ending = Ending(
        outcome: outcome, tasks: [state.reading, state.timing].compactMap { $0 },
        writing: state.machine.isCutOff ? state.writing : nil, takeBack: state.takeBack,
        waiters: state.writers.removeAll() + state.readers.removeAll())
      (state.reading, state.timing, state.writing, state.takeBack) = (nil, nil, nil, nil)
      return ending
    }
    guard let ending else { return }
    for task in ending.tasks { task.cancel() }
    ending.writing?.cancel()
    ending.takeBack?()
    for waiter in ending.waiters { waiter.resume() }
    didEnd(ending.outcome)
  }

  // MARK: - Reading

  private func read() async {
    var iterator = events.makeAsyncIterator()
    while true {
      // Not before there is room: what a slow client misses meanwhile is merged by its feed.
      await waitForRoom()
      let bytes = await iterator.next().map { ServerSentEvents.bytes(of: $0) }
      let (isOver, woken) = state.withLock { state -> (Bool, [Waiters<Void>.Waiter]) in
        if let bytes { state.machine.append(bytes) } else { state.machine.complete() }
        return (state.machine.isOver, state.writers.removeAll())
      }
      for waiter in woken { waiter.resume() }
      if isOver { return }
    }
  }

  private func waitForRoom() async {
    await Waiters<Void>.wait(cancellation: ()) { waiter in
      state.withLock { state -> Void? in
        guard !state.machine.hasRoom else { return () }
        state.readers.append(waiter)
        return nil
      }
    } removing: { number in
      state.withLock { $0.readers.remove(number) }
    }
  }

  // MARK: - Writing

  /// Returns the next chunk, waiting for it, or nil at the end; called by one task.
  func next() async -> [UInt8]? {
    state.withLock { $0.machine.comeBack() }
    while true {
      if Task.isCancelled { end(.ended) }
      let now = elapsed()
      let (step, woken) = state.withLock {
        state -> (FeedStreamMachine.Step, [Waiters<Void>.Waiter]) in
        let step = state.machine.step(at: now)
        return (step, state.machine.hasRoom ? state.readers.removeAll() : [])
      }
      for waiter in woken { waiter.resume() }
      switch step {
      case .write(let bytes): return bytes
      case .ask(let number): await ask(number)
      case .wait: await waitForStep()
      case .end: return nil
      }
    }
  }

  private func waitForStep() async {
    await Waiters<Void>.wait(cancellation: ()) { waiter in
      state.withLock { state -> Void? in
        guard !state.machine.hasStep else { return () }
        state.writers.append(waiter)
        return nil
      }
    } removing: { number in
      state.withLock { $0.writers.remove(number) }
    }
  }

  /// Asks whether the client is still allowed; where nobody can say, the stream ends, and the
  /// client has to come again.
  private func ask(_ number: Int) async {
    guard let isStillAuthorized else { return }
    let isAllowed: Bool
    do {
      isAllowed = try await isStillAuthorized()
    } catch {
      // Not at once: ending the answer has a time limit, which no stream has that has ended.
      return state.withLock { $0.machine.giveUp() }
    }
    let now = elapsed()
    state.withLock { $0.machine.answer(number, isAllowed: isAllowed, at: now) }
  }

  /// Writes all chunks, and ends the answer; see ``FeedResponse/write(_:finishing:)``.
  package func write(
    _ write: @escaping @Sendable ([UInt8]) async throws -> Void,
    finishing finish: @escaping @Sendable () async throws -> Void
  ) async throws {
    defer { end(.ended) }
    let writing = Task {
      while let bytes = await next() { try await write(bytes) }
      try Task.checkCancellation()
      try await finish()
    }
    let isLate = state.withLock { state -> Bool in
      state.writing = writing
      return state.machine.isCutOff
    }
    if isLate { writing.cancel() }
    try await withTaskCancellationHandler {
      try await writing.value
    } onCancel: {
      writing.cancel()
    }
    if state.withLock({ $0.machine.isCutOff }) { throw CancellationError() }
  }

  // MARK: - Time

  private func makeTiming() -> Task<Void, Never> {
    Task.detached { [self, clock] in
      while !Task.isCancelled, let delay = tick() {
        guard (try? await clock.sleep(for: delay)) != nil else { return }
      }
    }
  }

  /// Does what is due; returns how long there is nothing to do, or nil at the end.
  private func tick() -> Duration? {
    let now = elapsed()
    let (tick, woken) = state.withLock {
      state -> (FeedStreamMachine.Tick, [Waiters<Void>.Waiter]) in
      let tick = state.machine.tick(at: now)
      guard case .sleep(_, isBeatDue: true) = tick else { return (tick, []) }
      return (tick, state.writers.removeAll())
    }
    for waiter in woken { waiter.resume() }
    switch tick {
    case .sleep(let delay, _): return delay
    case .cutOff(let outcome):
      end(outcome)
      return nil
    case .end: return nil
    }
  }
}
