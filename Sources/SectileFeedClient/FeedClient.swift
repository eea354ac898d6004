public import SectileCore

/// Follows a feed of another service, and is a data source of what that shows.
///
/// ```swift
/// let transport = try FeedHTTPTransport(serviceURL: "https://depot.example/parcels/events")
/// let parcels = FeedClient<Int64, Parcel>(name: "parcels", transport: transport)
/// parcels.delegate = printer
/// try await parcels.loadAndWait()
/// for await changes in parcels.changesets { print(changes) }
/// ```
///
/// Like every source it can be filtered, sectioned, presented, and fed on. What the service told as
/// a changeset is delivered as that changeset, with versions of its own.
///
/// The client *knows* whether what it shows is live: see ``state``. Where the connection is lost,
/// or nothing is heard for three heartbeats, it says so, and comes back with its position after a
/// wait that grows; listeners hear of one failure, and of the end of it as a load without changes.
/// So a feed of the client tells its own clients, too. What the client has stays readable.
///
/// A load ends when the contents are whole, and fails where they cannot be had; the client goes on
/// trying, unless the error is final: see ``FeedClientError/isFinal``. After one that is,
/// ``load()`` follows whatever stands behind the address by then.
///
/// Items are decoded by Foundation's `JSONDecoder`, which reads no value that is tagged, such as an
/// integer beyond ±(2^53 − 1); `StoredValue` does.
///
/// All members may be used from any thread. A changeset costs O(*n*) for the rows of the sections
/// that change, whole contents O(*n* log *n*).
public final class FeedClient<
  ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable
>: DataSource {
  /// What a reader would call the source.
  public let name: String
  private let follower: FeedFollower<ItemID, Item>

  /// Creates a client whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - transport: What brings the stream.
  ///   - configuration: Heartbeats, waits and limits.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  public init(
    name: String, transport: any FeedTransport,
    configuration: FeedClientConfiguration = FeedClientConfiguration(),
    delivery: CallbackDelivery = .immediate, isEqual: @escaping @Sendable (Item, Item) -> Bool
  ) {
    self.name = name
    follower = FeedFollower(
      ShownContents(delivery: delivery, isEqual: isEqual), transport, configuration)
    events.bind(self)
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - transport: What brings the stream.
  ///   - configuration: Heartbeats, waits and limits.
  ///   - delivery: Where callbacks are made.
  public convenience init(
    name: String, transport: any FeedTransport,
    configuration: FeedClientConfiguration = FeedClientConfiguration(),
    delivery: CallbackDelivery = .immediate
  ) where Item: Equatable {
    self.init(
      name: name, transport: transport, configuration: configuration, delivery: delivery,
      isEqual: ==)
  }

  deinit { follower.release() }

  // MARK: - Loading and listening

  /// Begins to follow the feed; where a wait is under way, tries at once.
  ///
  /// While the first contents are on their way, another call joins the load. A client that is live
  /// has nothing to load: listeners hear of a load without changes.
  public func load() { follower.load() }

  /// Lets go of the service.
  ///
  /// The next ``load()`` goes on from where the client was. See ``/Sectile/DataSource/cancel()``.
  public func cancel() { follower.cancel() }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { follower.shown.events }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes.
  public var snapshot: ContentsSnapshot<ItemID, Item> { follower.shown.snapshot }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try snapshot.item(at: path)
  }

  // MARK: - Knowing

  /// Whether what the client shows is live.
  public var state: FeedClientState { follower.standing }

  /// Why the client is not live, or was not the last time; nil where it is, and where nothing went
  /// wrong.
  public var lastError: FeedClientError? { follower.error }

  /// The present state, and every one that follows, until the client is released.
  ///
  /// ```swift
  /// for await state in parcels.states {
  ///   if case .stale(let since) = state { banner.text = "not live since \(since)" }
  /// }
  /// ```
  ///
  /// A consumer that is slow sees the last 16. Each call makes a sequence of its own, for one
  /// consumer.
  public var states: AsyncStream<FeedClientState> { follower.standings() }
}
