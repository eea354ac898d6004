#if Server
  internal import Synchronization

  /// The streams that are open.
  final class StreamTable: Sendable {
    private struct State {
      var streams: [String: EventStream] = [:]
      var isEnded = false
    }

    let limits: StreamLimits
    let disclosure: Disclosure

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex.
    private let state = Mutex(State())

    init(limits: StreamLimits, disclosing disclosure: Disclosure) {
      self.limits = limits
      self.disclosure = disclosure
    }

    /// How many there are.
    var count: Int { state.withLock { $0.streams.count } }

    /// Makes a stream.
    ///
    /// - Throws: ``Refusal`` where there are too many.
    func open(for session: String) throws(Refusal) -> EventStream {
      let stream = EventStream(
        id: Secret.make(length: 22), session: session, viewLimit: limits.viewsPerStream,
        disclosing: disclosure)
      let refusal = state.withLock { state -> Refusal? in
        if state.isEnded { return Refusal(.busy, "the server ends") }
        guard state.streams.count < limits.streams else {
          return Refusal(
            .tooManyRequests, "there are \(limits.streams) streams already",
            hint: "Open several views over one, or start the server with --stream-limit.")
        }
        state.streams[stream.id] = stream
        return nil
      }
      if let refusal { throw refusal }
      return stream
    }

    /// Returns a stream of a session.
    ///
    /// - Throws: ``Refusal`` for one that is not there, or somebody else's.
    func stream(_ id: String, of session: String) throws(Refusal) -> EventStream {
      let stream = state.withLock { $0.streams[id] }
      guard let stream, stream.session == session else {
        throw Refusal(.notFound, "there is no such stream", hint: "Open one: GET /api/events.")
      }
      return stream
    }

    /// Ends a stream.
    func close(_ stream: EventStream) {
      state.withLock { $0.streams[stream.id] = nil }
      stream.end()
    }

    /// Says something to all clients.
    func tell(_ message: StreamMessage) {
      for stream in state.withLock({ Array($0.streams.values) }) { stream.tell(message) }
    }

    /// Ends all streams, and lets none begin any more.
    func end() {
      let streams = state.withLock { state in
        state.isEnded = true
        defer { state.streams = [:] }
        return Array(state.streams.values)
      }
      for stream in streams { stream.end() }
    }
  }

  /// How many streams there may be, and how they are kept alive.
  struct StreamLimits: Sendable {
    /// How many streams there may be.
    var streams = 64
    /// How many views one stream may have.
    var viewsPerStream = 16
    /// How long a stream may be silent.
    var heartbeat = Duration.seconds(15)
    /// How long a client may leave unread what is written for it.
    var writeTime = Duration.seconds(30)
    /// How long it may when the stream ends.
    var farewell = Duration.milliseconds(300)
  }
#endif
