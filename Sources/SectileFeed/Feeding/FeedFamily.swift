public import SectileCore
internal import Synchronization

/// A feed for each value: the parcels of each owner, the rows of each tenant.
///
/// The source and the feed of a value are made when its first client comes, are shared by all who
/// come while there are some, and are let go of some time after the last one has left. So a service
/// of ten thousand tenants keeps up to date what somebody looks at, and a page that is loaded again
/// finds its feed still there.
///
/// ```swift
/// let parcels = try store.family(of: FetchRequest<Parcel>().sort(by: \.weight), by: \.ownerID)
/// let feeds = FeedFamily<Int64, SectionedResults<Parcel>, Void> { owner in
///   let mine = try parcels.results(for: owner)
///   try await mine.load()
///   return .init(of: mine)
/// }
///
/// // in a handler of any HTTP server
/// let last = ServerSentEvents.position(request.headers["Last-Event-ID"])
/// let events = try await feeds.events(of: owner, after: last)
/// for await event in events { try await response.write(ServerSentEvents.bytes(of: event)) }
/// ```
///
/// A client counts from its subscription until its sequence, and all iterators of it, are released.
/// A position is one of a feed: a client that comes back when the feed was let go of gets a reset,
/// or what became of rows where ``FeedConfiguration/answersByKey`` is on.
///
/// What making a source throws reaches all who wait for it, and is not remembered: who comes next
/// tries again. So does who comes to a feed that has ended with its source. Who is cancelled waits
/// no longer, and making is cancelled when nobody has waited for as long as feeds linger.
///
/// Values that contain texts are told apart byte by byte, as a database does it.
///
/// All members may be used from any thread.
public final class FeedFamily<
  Value: Hashable & Sendable, Source: DataSource, Subscriber: Sendable
>: Sendable {
  /// What clients see of the sources' items.
  public typealias Shape = FeedShape<Source.ItemID, Source.Item>

  typealias MemberFeed = Feed<Source, Shape>
  private typealias Key = IdentityKey<Value>

  /// The source of a value, and what it needs.
  public struct Member: Sendable {
    let source: Source
    let kept: (any Sendable)?

    /// Creates a member.
    ///
    /// - Parameters:
    ///   - source: The source, loaded; the family keeps it.
    ///   - kept: What is kept as long as the source, such as the lease of its store.
    public init(of source: Source, keeping kept: (any Sendable)? = nil) {
      (self.source, self.kept) = (source, kept)
    }
  }

  /// A feed, with what it needs.
  private struct Made: Sendable {
    let feed: MemberFeed
    let member: Member
  }

  private struct Entry {
    /// What tells it from a later one of its value.
    let number: Int
    let making: Task<Made, any Error>
    var made: Made?
    var clientCount = 0
    /// Lets go of it after a while; nil while there are clients.
    var farewell: (number: Int, task: Task<Void, Never>)?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Feeds and sources are made, ended and released outside of it.
  private struct State {
    var entries: [Key: Entry] = [:]
    var lastNumber = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  private let lingering: Duration
  private let clock: any Clock<Duration>
  private let configuration: FeedConfiguration
  private let make: @Sendable (Value) async throws -> Member
  let authorize: @Sendable (Subscriber, Value) async throws -> Shape
  let streams = FeedStreams<Subscriber>()

  /// Creates a family without feeds.
  ///
  /// - Parameters:
  ///   - lingering: How long a feed is kept after its last client has left; zero lets go of it at
  ///     once.
  ///   - configuration: How much each feed keeps.
  ///   - clock: What measures the time.
  ///   - authorize: Returns what a client may see of a value's items, or throws to refuse it. It is
  ///     called once for each subscription, before anything is made, and again while an answer is
  ///     read. Return the same shape for clients that see the same: see ``FeedShape``.
  ///   - member: Makes the source of a value, and loads it; called for the first client.
  public init(
    lingering: Duration = .seconds(30), configuration: FeedConfiguration = FeedConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(),
    authorize: @escaping @Sendable (Subscriber, Value) async throws -> Shape,
    member: @escaping @Sendable (Value) async throws -> Member
  ) {
    (self.lingering, self.configuration, self.clock) = (lingering, configuration, clock)
    (self.authorize, make) = (authorize, member)
  }

  /// Subscribes a client to the feed of a value, which is made where there is none.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - subscriber: Whom it is for; handed to the family's `authorize`.
  ///   - position: What the client has.
  ///   - buffering: What is done if the client is slow.
  /// - Returns: What to tell it.
  /// - Throws: What `authorize` and making the source throw; a `DataSourceError` with the code
  ///   `sourceReleased` where the family is finished; `CancellationError` where the task is
  ///   cancelled while it waits.
  /// - Complexity: O(1), where the feed is there.
  public func events(
    of value: Value, for subscriber: Subscriber, after position: FeedPosition? = nil,
    buffering: FeedBuffering = .coalescing
  ) async throws -> FeedEvents {
    try await events(
      of: value, in: try await authorize(subscriber, value), after: position, buffering: buffering)
  }

  /// Returns what to tell a client of a value that sees a shape.
  func events(
    of value: Value, in shape: Shape, after position: FeedPosition?, buffering: FeedBuffering
  ) async throws -> FeedEvents {
    while true {
      let (client, entry, isNew) = try enter(Key(value))
      let made = try await self.made(by: entry)
      // One that was made for this client is told as it is.
      if made.feed.hasEnded && !isNew {
        forget(Key(value), number: client.number)
        continue
      }
      let events = try await made.feed.events(for: shape, after: position, buffering: buffering)
      // The source stays as long as somebody reads, whoever ends the feed meanwhile.
      return FeedEvents(whenEnded: events.whenEnded) { [member = made.member] in
        CountedReader(reader: events.makeReader(), client: client, member: member)
      }
    }
  }

  /// The values that have a feed, in no order.
  ///
  /// - Complexity: O(*n*) for *n* feeds.
  public var values: [Value] { state.withLock { $0.entries.keys.map(\.id) } }

  /// How many clients the feed of a value has; zero where there is none.
  public func clientCount(of value: Value) -> Int {
    state.withLock { $0.entries[Key(value)]?.clientCount ?? 0 }
  }

  /// Ends all feeds: their clients are told what was kept for them, and then their sequences end.
  ///
  /// Whoever waits for a feed, or comes later, is refused. The release of the family ends its
  /// feeds, too.
  public func finish() {
    let entries = state.withLock { state in
      state.isFinished = true
      defer { state.entries = [:] }
      return Array(state.entries.values)
    }
    for entry in entries {
      Self.end(entry)
      entry.made?.feed.finish()
    }
  }

  deinit {
    for entry in state.withLock({ $0.entries }).values { Self.end(entry) }
  }

  // MARK: - Coming and leaving

  private func enter(
    _ value: Key
  ) throws -> (client: CountedClient, entry: Entry, isNew: Bool) {
    try state.withLock { state in
      guard !state.isFinished else { throw Self.finished }
      let isNew = state.entries[value] == nil
      state.lastNumber += 1
      var entry = state.entries[value] ?? makeEntry(of: value, number: state.lastNumber)
      entry.clientCount += 1
      entry.farewell?.task.cancel()
      entry.farewell = nil
      state.entries[value] = entry
      let client = CountedClient(number: entry.number) { [weak self, number = entry.number] in
        self?.leave(value, number: number)
      }
      return (client, entry, isNew)
    }
  }

  private static var finished: DataSourceError {
    DataSourceError(
      code: .sourceReleased, message: "The family of feeds is finished.",
      hint: "It ends with its service; make a new one.")
  }

  private func makeEntry(of value: Key, number: Int) -> Entry {
    let making = Task<Made, any Error>.detached { [weak self, make, configuration] in
      do {
        let member = try await make(value.id)
        let feed = MemberFeed(of: member.source, configuration: configuration) { shape in shape }
        let made = Made(feed: feed, member: member)
        self?.didMake(made, of: value, number: number)
        return made
      } catch {
        self?.forget(value, number: number)
        throw error
      }
    }
    return Entry(number: number, making: making)
  }

  /// Waits for what is made.
  private func made(by entry: Entry) async throws -> Made {
    if let made = entry.made { return made }
    do {
      return try await entry.making.sharedValue
    } catch {
      // It was cancelled with the family.
      if !Task.isCancelled, state.withLock({ $0.isFinished }) { throw Self.finished }
      throw error
    }
  }

  /// Ends what waits for an entry's sake, which the family has let go of.
  private static func end(_ entry: Entry?) {
    entry?.farewell?.task.cancel()
    entry?.making.cancel()
  }

  private func didMake(_ made: Made, of value: Key, number: Int) {
    let isFinished = state.withLock { state in
      if state.entries[value]?.number == number { state.entries[value]?.made = made }
      return state.isFinished
    }
    if isFinished { made.feed.finish() }
  }

  /// Takes note that a client has left.
  private func leave(_ value: Key, number: Int) {
    let gone = state.withLock { state -> Entry? in
      guard var entry = state.entries[value], entry.number == number else { return nil }
      entry.clientCount -= 1
      guard entry.clientCount == 0 else {
        state.entries[value] = entry
        return nil
      }
      guard lingering > .zero else { return state.entries.removeValue(forKey: value) }
      state.lastNumber += 1
      entry.farewell = (state.lastNumber, farewell(to: value, number: state.lastNumber))
      state.entries[value] = entry
      return nil
    }
    Self.end(gone)
  }

  private func farewell(to value: Key, number: Int) -> Task<Void, Never> {
    Task.detached { [weak self, clock, lingering] in
      do {
        try await clock.sleep(for: lingering)
      } catch {
        return
      }
      self?.letGo(of: value, farewell: number)
    }
  }

  /// Lets go of a feed, unless somebody has come since.
  private func letGo(of value: Key, farewell number: Int) {
    let gone = state.withLock { state -> Entry? in
      guard state.entries[value]?.farewell?.number == number else { return nil }
      return state.entries.removeValue(forKey: value)
    }
    Self.end(gone)
  }

  /// Forgets what could not be made, or has ended.
  private func forget(_ value: Key, number: Int) {
    let gone = state.withLock { state -> Entry? in
      guard state.entries[value]?.number == number else { return nil }
      return state.entries.removeValue(forKey: value)
    }
    Self.end(gone)
  }
}
