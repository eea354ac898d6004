#if Server
  internal import SectileFeed

  /// What is written to a stream, in the order in which it is told.
  enum StreamMessage: Sendable {
    /// An event of the view with a name; nil for the stream's own.
    case event(view: String?, FeedEvent)
    /// The schema of the file is another one.
    case schema
    /// A view could not be opened anew.
    case failed(view: String?, Refusal)
    /// The view with a name has left.
    case closed(view: String)
    /// Nothing but that the server is there: also to programs in browsers, which see no comments.
    case heartbeat
  }

  /// Turns messages into server-sent events, whose ids hold where all views of the stream stand.
  ///
  /// ```text
  /// id: AQDl…9A b:AQDx…7w c:    the stream's own view, that of the name b, and c, whose reset is
  ///                             under way
  /// event: b.changes
  /// ```
  struct StreamWriter: Sendable {
    private var own: String?
    /// In the order in which the views came.
    private var others: [(name: String, position: String)] = []

    /// Returns the first bytes of a stream.
    ///
    /// - Parameters:
    ///   - id: The stream's name.
    ///   - hasOwnView: Whether it has a view of its own.
    ///   - heartbeat: How long it is silent at most.
    ///   - source: What tells the file from others; nil where that is not told.
    /// - Returns: The bytes.
    func start(
      _ id: String, hasOwnView: Bool, heartbeat: Duration, source: String?
    ) -> [UInt8] {
      let view = hasOwnView ? "\"0\"" : "null"
      let source = source.map { "\"\($0)\"" } ?? "null"
      let seconds = heartbeat / .seconds(1)
      return ServerSentEvents.retry(after: .seconds(1))
        + ServerSentEvents.message(
          event: "stream",
          data: Array(
            "{\"format\":2,\"stream\":\"\(id)\",\"view\":\(view),\"heartbeat\":\(seconds),\"source\":\(source)}"
              .utf8))
    }

    /// Returns the bytes of a message; none for one that says nothing.
    mutating func bytes(of message: StreamMessage) -> [UInt8] {
      switch message {
      case .heartbeat:
        return ServerSentEvents.message(event: "heartbeat", data: Array("{\"format\":2}".utf8))
      case .schema:
        return ServerSentEvents.message(event: "schema", data: Array("{\"format\":2}".utf8))
      case .failed(let view, let refusal):
        return ServerSentEvents.message(event: Self.name("failed", of: view), data: refusal.json)
      case .closed(let view):
        others.removeAll { $0.name == view }
        return []
      case .event(let view, let event):
        let name = Self.name(event.kind.description, of: view)
        if event.kind.keepsPosition {
          return ServerSentEvents.message(event: name, data: event.json)
        }
        let position = event.position?.description ?? ""
        if let view {
          if let known = others.firstIndex(where: { $0.name == view }) {
            others[known].position = position
          } else {
            others.append((view, position))
          }
        } else {
          own = position
        }
        return ServerSentEvents.message(id: id, event: name, data: event.json)
      }
    }

    private var id: String {
      (own ?? "") + others.map { " \($0.name):\($0.position)" }.joined()
    }

    private static func name(_ event: String, of view: String?) -> String {
      view.map { "\($0).\(event)" } ?? event
    }

    /// Returns where a stream's own view stood, of the id that a client hands back.
    static func ownPosition(in lastEventID: String?) -> FeedPosition? {
      lastEventID.flatMap { id in
        id.split(separator: " ").first { !$0.contains(":") }
          .flatMap { ServerSentEvents.position(String($0)) }
      }
    }
  }
#endif
