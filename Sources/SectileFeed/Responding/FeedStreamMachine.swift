/// How a stream of a feed ended.
enum FeedStreamOutcome: Hashable, Sendable {
  /// With its feed, its client or its server.
  case ended
  /// The client did not read.
  case stalled
  /// The client is not allowed any more.
  case refused
}

/// Decides what a stream of a feed does next: a value without tasks, locks and clocks.
///
/// ```text
///  feed ── append ──▶ chunk ──▶ step: is the client still allowed? ──▶ write ──▶ client
///                     (has room        ask, where an answer is           ▲ busy until the writer
///                      or waits)       too old, or wanted anew           │ comes back
///                                                         tick: heartbeat, or cut off
/// ```
struct FeedStreamMachine: Sendable {
  /// What whoever writes does next.
  enum Step: Hashable, Sendable {
    case write([UInt8])
    /// Asks whether the client is still allowed; the number says which answer is wanted.
    case ask(Int)
    case wait
    case end
  }

  /// What is to be done as time passes.
  enum Tick: Hashable, Sendable {
    /// Looks again after so long; what is to be written has changed where `isBeatDue`.
    case sleep(Duration, isBeatDue: Bool)
    /// Ends the stream, whose client does not read, or whose question is not answered.
    case cutOff(FeedStreamOutcome)
    case end
  }

  /// How long a client may leave something unread that is told the last of it.
  static let farewell = Duration.milliseconds(300)

  private let options: FeedResponse.Options
  /// Whether anybody can be asked about the client.
  private let asks: Bool
  /// What waits to be written: whole events.
  private var chunk: [UInt8]
  /// Whether nothing is added any more.
  private var isComplete = false
  /// Whether the feed, or the server, ends.
  private(set) var isEnding = false
  private var isRefused = false
  /// Whether nobody could say if the client is still allowed.
  private var isUnanswered = false
  private var isBeatDue = false
  /// Since when the writer is elsewhere: writes a chunk, or asks.
  private var busySince: Duration?
  private var isAsking = false
  private var lastWritten: Duration
  private var lastAnswered: Duration
  /// Whether what waits may be written, whatever the time is.
  private var isCleared = false
  private var wantedAnswer = 0
  private var givenAnswer = 0
  /// How it ended; nil before it has.
  private(set) var outcome: FeedStreamOutcome?
  private(set) var isCutOff = false

  /// Creates a machine.
  ///
  /// - Parameters:
  ///   - options: The options, as they make sense.
  ///   - asks: Whether anybody can be asked about the client.
  ///   - answered: When it was last known that the client is allowed.
  ///   - now: The time.
  init(
    _ options: FeedResponse.Options, asks: Bool, answered: Duration, at now: Duration
  ) {
    self.options = options
    self.asks = asks
    lastAnswered = answered
    lastWritten = now
    // Whoever never begins to write is not there either.
    busySince = now
    chunk = FeedStreamEvents.start(options)
  }

  // MARK: - The feed's side

  /// Whether an event may be appended, or will never be.
  var hasRoom: Bool { chunk.count < options.chunkBytes || isOver }

  /// Whether the stream takes no more events.
  var isOver: Bool { isComplete || outcome != nil }

  /// Appends an event, unless the stream takes no more.
  mutating func append(_ bytes: [UInt8]) {
    guard !isOver else { return }
    if chunk.isEmpty { chunk = bytes } else { chunk += bytes }
  }

  /// Notes that nothing is added any more.
  mutating func complete() { isComplete = true }

  /// Notes that the feed has ended: what it has kept is still told, to a client that reads.
  mutating func noteEnd() { isEnding = true }

  /// Has the client asked about again, before anything else is written.
  mutating func requestAnswer() { wantedAnswer += 1 }

  // MARK: - The writer's side

  /// Notes that the writer is here, and has written what it was given.
  mutating func comeBack() { busySince = nil }

  /// Whether there is anything to do but wait.
  var hasStep: Bool {
    isOver || isBeatDue || !chunk.isEmpty || isAnswerWanted
  }

  private var isAnswerWanted: Bool { isAsked && wantedAnswer > givenAnswer }

  /// Whether the client may still be asked about.
  private var isAsked: Bool { asks && !isRefused && !isUnanswered }

  /// Returns what the writer does next.
  mutating func step(at now: Duration) -> Step {
    guard outcome == nil else { return .end }
    let isTooOld =
      isAsked && !isCleared && !chunk.isEmpty
      && now - lastAnswered >= options.authorizationInterval
    if isTooOld || isAnswerWanted {
      (busySince, isAsking) = (now, true)
      return .ask(wantedAnswer)
    }
    if chunk.isEmpty, isComplete {
      // Ending the answer takes its time, too.
      busySince = now
      return .end
    }
    guard !chunk.isEmpty || isBeatDue else {
      isCleared = false
      return .wait
    }
    let bytes = chunk.isEmpty ? FeedStreamEvents.heartbeat : chunk
    (chunk, isBeatDue, isCleared) = ([], false, false)
    (busySince, lastWritten) = (now, now)
    return .write(bytes)
  }

  /// Takes in whether the client is still allowed: if it is not, nothing of what waits is told.
  mutating func answer(_ number: Int, isAllowed: Bool, at now: Duration) {
    // An answer may be as old as its question.
    lastAnswered = busySince ?? now
    (busySince, isAsking) = (nil, false)
    givenAnswer = max(givenAnswer, number)
    isCleared = true
    guard !isAllowed, outcome == nil else { return }
    chunk = FeedStreamEvents.refused
    (isComplete, isRefused) = (true, true)
  }

  /// Takes in that nobody can say whether the client is still allowed: nothing more is told.
  mutating func giveUp() {
    (busySince, isAsking) = (nil, false)
    (chunk, isComplete, isUnanswered) = ([], true, true)
  }

  // MARK: - Time

  /// Returns what is to be done now that time has passed.
  mutating func tick(at now: Duration) -> Tick {
    guard outcome == nil else { return .end }
    let limit = isEnding ? Self.farewell : options.writeTimeout
    let longest = min(limit, options.heartbeat)
    if let busySince {
      let rest = limit - (now - busySince)
      guard rest <= .zero else { return .sleep(min(rest, longest), isBeatDue: false) }
      isCutOff = true
      return .cutOff(isAsking ? .ended : .stalled)
    }
    let rest = options.heartbeat - (now - lastWritten)
    guard rest <= .zero else { return .sleep(min(rest, longest), isBeatDue: false) }
    isBeatDue = true
    return .sleep(longest, isBeatDue: true)
  }

  /// Ends; returns how, or nil where it has ended before.
  mutating func end(_ how: FeedStreamOutcome) -> FeedStreamOutcome? {
    guard outcome == nil else { return nil }
    let result: FeedStreamOutcome = isRefused && how == .ended ? .refused : how
    outcome = result
    chunk = []
    return result
  }
}

/// What a stream says beside what its feed tells.
enum FeedStreamEvents {
  /// Says that the stream is alive: also to programs in browsers, which see no comments.
  static let heartbeat = ServerSentEvents.message(event: "heartbeat", data: FeedJSON.heartbeat())
  /// Says that the client is not allowed any more.
  static let refused = ServerSentEvents.message(event: "refused", data: FeedJSON.refused())

  /// Says how often something is heard, and how long clients wait before they connect again.
  static func start(_ options: FeedResponse.Options) -> [UInt8] {
    ServerSentEvents.retry(after: options.retry)
      + ServerSentEvents.message(
        event: "stream", data: FeedJSON.stream(heartbeat: options.heartbeat))
  }
}
