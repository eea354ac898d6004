#if Server
  internal import AsyncAlgorithms
  internal import SectileFeed
  internal import Synchronization

  /// One stream of events: several views, whose messages go to one client.
  ///
  /// Each view has a task that reads its feed; it waits until what it tells is written. So nothing
  /// is queued for a client that is slow: its feeds merge what it missed, or begin anew.
  final class EventStream: Sendable {
    /// The stream's name, which nobody guesses.
    let id: String
    /// Whose it is.
    let session: String
    private let viewLimit: Int
    private let disclosure: Disclosure
    let messages = AsyncChannel<StreamMessage>()

    private struct Pump {
      let hold: ViewHold
      let task: Task<Void, Never>
    }

    private struct State {
      var views: [String: Pump] = [:]
      var own: Pump?
      var isEnded = false
    }

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex; tasks are cancelled outside of it.
    private let state = Mutex(State())

    init(id: String, session: String, viewLimit: Int, disclosing disclosure: Disclosure) {
      self.id = id
      self.session = session
      self.viewLimit = viewLimit
      self.disclosure = disclosure
    }

    /// Has the client told of a view.
    ///
    /// - Parameters:
    ///   - hold: The view.
    ///   - name: What its messages are called; nil for the stream's own view.
    ///   - position: What the client has of it.
    ///   - wantsItems: Whether it is told of the items of rows.
    ///   - views: Where it is found again when its file was replaced.
    /// - Throws: ``Refusal`` for a name that is taken, and where there are too many.
    func join(
      _ hold: ViewHold, as name: String?, after position: FeedPosition?, wantsItems: Bool,
      of views: ViewTable
    ) throws(Refusal) {
      let refusal = state.withLock { state -> Refusal? in
        if state.isEnded { return Refusal(.notFound, "there is no such stream") }
        if let name, state.views[name] != nil {
          return Refusal(
            .badRequest, "the stream has a view '\(name)' already",
            hint: "Close it, or use another name.")
        }
        guard state.views.count + (state.own == nil ? 0 : 1) < viewLimit else {
          return Refusal(
            .tooManyRequests, "the stream has \(viewLimit) views already",
            hint: "Close some, or open another stream.")
        }
        let pump = ViewPump(
          name: name, request: hold.view.request, wantsItems: wantsItems, views: views,
          messages: messages, disclosure: disclosure)
        let task = Task.detached { await pump.run(hold, after: position) }
        if let name {
          state.views[name] = Pump(hold: hold, task: task)
        } else {
          state.own = Pump(hold: hold, task: task)
        }
        return nil
      }
      if let refusal { throw refusal }
    }

    /// Ends what the client is told of a view.
    ///
    /// - Throws: ``Refusal`` where there is none of the name.
    func leave(_ name: String) async throws(Refusal) {
      let pump = state.withLock { $0.views.removeValue(forKey: name) }
      guard let pump else { throw Refusal(.notFound, "the stream has no view '\(name)'") }
      pump.task.cancel()
      await pump.task.value
      // Nobody may be there to read it.
      Task.detached { [messages] in await messages.send(.closed(view: name)) }
    }

    /// Whether nothing is told any more.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Says something to the client, when it has read what was said before.
    func tell(_ message: StreamMessage) {
      Task.detached { [messages] in await messages.send(message) }
    }

    /// Ends the stream.
    func end() {
      let pumps = state.withLock { state in
        state.isEnded = true
        defer { (state.views, state.own) = ([:], nil) }
        return Array(state.views.values) + (state.own.map { [$0] } ?? [])
      }
      for pump in pumps { pump.task.cancel() }
      messages.finish()
    }
  }

  /// Reads the feed of a view for a stream, edition by edition.
  struct ViewPump: Sendable {
    /// How long to wait before a view is opened again.
    private static let pause = Duration.seconds(1)
    /// How long at most where its rows are read each time, and do not do.
    private static let longestPause = Duration.seconds(30)

    let name: String?
    let request: ViewRequest
    let wantsItems: Bool
    let views: ViewTable
    let messages: AsyncChannel<StreamMessage>
    let disclosure: Disclosure

    func run(_ hold: ViewHold, after position: FeedPosition?) async {
      var hold = hold
      var position = position
      var edition = hold.view.edition
      while !Task.isCancelled {
        // It refuses nobody.
        guard let events = try? await edition.feed.events(for: wantsItems, after: position) else {
          return
        }
        for await event in events { await messages.send(message(of: event)) }
        position = nil
        if Task.isCancelled { return }
        if let next = await hold.view.edition(after: edition) {
          edition = next
        } else if let next = await opened() {
          hold = next
          edition = next.view.edition
        }
      }
    }

    /// A failure is told as a refusal is: with a sentence and the next step.
    private func message(of event: FeedEvent) -> StreamMessage {
      guard event.kind == .failed, let error = event.error else {
        return .event(view: name, event)
      }
      return .failed(view: name, disclosure.refusal(of: error))
    }

    /// Opens the view again, whose file was replaced.
    private func opened() async -> ViewHold? {
      var last: Refusal?
      var pause = Self.pause
      while !Task.isCancelled {
        do {
          return try await views.hold(request)
        } catch {
          let refusal = disclosure.refusal(of: error)
          if refusal != last { await messages.send(.failed(view: name, refusal)) }
          last = refusal
          pause =
            refusal.code == .sqlRefused ? min(pause * 2, Self.longestPause) : Self.pause
        }
        try? await Task.sleep(for: pause)
      }
      return nil
    }
  }
#endif
