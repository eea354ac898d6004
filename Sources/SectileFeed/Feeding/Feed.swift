public import SectileCore

/// One object between a source and its many clients: each change is encoded once, for all of them.
///
/// A client gets the contents in parts, and then every changeset as JSON; one that comes back with
/// the position it had gets what it missed. It reads at its own pace, on its own task, and costs
/// the source nothing while it does not: a commit appends one changeset to what the feed keeps. The
/// client that comes to a changeset first encodes it, outside of every lock and of the writing
/// thread.
///
/// ```swift
/// let feed = Feed(of: results) { (user: User) in
///   guard user.mayRead else { throw Refused() }
///   return user.isAdministrator ? whole : forGuests
/// }
///
/// // in a handler of any HTTP server
/// let last = ServerSentEvents.position(request.headers["Last-Event-ID"])
/// let events = try await feed.events(for: user, after: last)
/// for await event in events { try await response.write(ServerSentEvents.bytes(of: event)) }
/// ```
///
/// Events come in the source's order, without a gap and none twice; applied to what the client has,
/// they give the contents of the source, row by row. It ends with its source: when that is
/// cancelled or released, when its store is closed, and with ``finish()`` or the release of the
/// feed. It holds its source weakly: keep it, or a client that comes then is told
/// ``FeedEvent/Kind/failed`` with the code `sourceReleased`. A source that is loaded again needs a
/// new feed.
///
/// All members may be used from any thread.
public final class Feed<Source: DataSource, Subscriber: Sendable>: Sendable {
  /// What clients see of the source's items.
  public typealias Shape = FeedShape<Source.ItemID, Source.Item>

  let core: FeedCore<Source>
  let authorize: @Sendable (Subscriber) async throws -> Shape
  let streams = FeedStreams<Subscriber>()
  private let reading: Task<Void, Never>

  /// Creates a feed of a source, which tells what happens from now on.
  ///
  /// - Parameters:
  ///   - source: The source; it is held weakly, and need not be loaded yet: clients that come
  ///     before it is get empty contents, and then what it loads as changes.
  ///   - configuration: How much is kept.
  ///   - authorize: Returns what a client may see, or throws to refuse it. It is called once for
  ///     each subscription, with what the subscription was made for, and again while an answer is
  ///     read: see ``response(for:lastEventID:options:isStillAuthorized:)``. Return the same shape
  ///     for clients that see the same: see ``FeedShape``.
  public init(
    of source: Source, configuration: FeedConfiguration = FeedConfiguration(),
    authorize: @escaping @Sendable (Subscriber) async throws -> Shape
  ) {
    self.authorize = authorize
    // In this order, as `follow()`: what is told after the reader was made is in the ring, and what
    // the version has already is left out.
    let reader = source.events.openReader()
    let version = source.version
    reader.skip(to: version)
    let core = FeedCore(of: source, from: version, configuration)
    self.core = core
    reading = Task.detached { [weak kept = core.kept, points = core.points] in
      while let events = await reader.next(wantsLifecycle: true) {
        // Before clients are told, so that it is known when they ask for their positions.
        points.note()
        kept?.append(events)
      }
      kept?.end()
    }
  }

  deinit { finish() }

  /// Subscribes a client.
  ///
  /// - Parameters:
  ///   - subscriber: Whom it is for; handed to the feed's `authorize`.
  ///   - position: What the client has; nil, a position of another feed or shape, or one that is
  ///     too old are answered by a reset, or by what became of rows: see
  ///     ``FeedConfiguration/answersByKey``.
  ///   - buffering: What is done if the client is slow.
  /// - Returns: What to tell it.
  /// - Throws: What `authorize` throws.
  public func events(
    for subscriber: Subscriber, after position: FeedPosition? = nil,
    buffering: FeedBuffering = .coalescing
  ) async throws -> FeedEvents {
    events(in: try await authorize(subscriber), after: position, buffering: buffering)
  }

  /// Returns what to tell a client that sees a shape.
  func events(
    in shape: Shape, after position: FeedPosition?, buffering: FeedBuffering
  ) -> FeedEvents {
    FeedEvents(whenEnded: { [kept = core.kept] in kept.whenEnded($0) }) { [core] in
      FeedReader(of: core, in: shape, after: position, buffering)
    }
  }

  /// Returns whether a position is one of this feed: what a client has who was told it, and the
  /// changes that the feed tells, lead to the source's contents.
  ///
  /// - Parameter position: What a client has, of whatever feed.
  /// - Returns: False for a position of another feed, also one of the same source.
  /// - Complexity: O(1).
  package func isOrigin(of position: FeedPosition) -> Bool { position.epoch == core.epoch }

  /// Ends the feed: its clients are told what was kept for them, and then their sequences end.
  public func finish() {
    reading.cancel()
    core.kept.end()
  }

  /// Whether the feed has ended, with its source or by itself.
  var hasEnded: Bool { core.kept.hasEnded }

  /// How many bytes the feed keeps, by the measure of ``FeedConfiguration/keptBytes``.
  public var keptBytes: Int { core.kept.keptBytes }

  /// Who reads the feed, and what it keeps for them.
  ///
  /// - Complexity: O(*n*) for *n* clients.
  public var statistics: FeedStatistics {
    let clients = core.clients.count(behind: core.kept.latest)
    return FeedStatistics(
      clientCount: clients.all, behindCount: clients.behind,
      droppedCount: core.clients.dropCount, keptByteCount: core.kept.keptBytes)
  }
}

extension Feed where Subscriber == Void {
  /// Creates a feed for everybody, who sees all of each item.
  ///
  /// - Parameters:
  ///   - source: The source; it is held weakly, and need not be loaded yet.
  ///   - configuration: How much is kept.
  public convenience init(
    of source: Source, configuration: FeedConfiguration = FeedConfiguration()
  ) where Source.ItemID: Encodable, Source.Item: Encodable {
    let shape = Shape()
    self.init(of: source, configuration: configuration) { _ in shape }
  }

  /// Subscribes a client; see ``events(for:after:buffering:)``.
  ///
  /// - Parameters:
  ///   - position: What the client has.
  ///   - buffering: What is done if the client is slow.
  /// - Returns: What to tell it.
  /// - Throws: What `authorize` throws.
  public func events(
    after position: FeedPosition? = nil, buffering: FeedBuffering = .coalescing
  ) async throws -> FeedEvents {
    try await events(for: (), after: position, buffering: buffering)
  }
}
