public import ParcelService
public import Sectile
public import SectileFeedClient
internal import SectileHTTP

/// A client that follows the list, and may be slow or restless.
public final class Follower: Sendable {
  /// How a client behaves.
  public enum Manner: Sendable {
    /// It reads what there is.
    case steady
    /// It stops reading when it has its first contents, until it is told to go on.
    case stalled
    /// It goes away now and then, and comes back with the position that it had.
    case restless
  }

  /// How it behaves.
  public let manner: Manner
  /// What came over its connections.
  public let stream: WatchedStream
  /// The list.
  public let parcels: FeedClient<Int64, Parcel>

  /// Creates a client, which does not follow yet.
  ///
  /// - Parameters:
  ///   - server: Whom it follows.
  ///   - manner: How it behaves.
  /// - Throws: An error where the address is none.
  public init(of server: ServerAddress, _ manner: Manner) throws {
    self.manner = manner
    stream = WatchedStream(
      of: try FeedHTTPTransport(serviceURL: server.url(of: "/parcels/events")),
      isStalled: manner == .stalled)
    var configuration = FeedClientConfiguration(
      firstDelay: .milliseconds(100), delayLimit: .seconds(1))
    // Who does not read hears of no heartbeat, either.
    if manner == .stalled { configuration.heartbeat = .seconds(3_600) }
    parcels = FeedClient(name: "parcels", transport: stream, configuration: configuration)
  }

  /// Follows until the task is cancelled.
  ///
  /// - Parameter onEvent: Hears what the client tells of its loads and changes.
  public func follow(
    _ onEvent: @escaping @Sendable (DataSourceEvent<Int64, Parcel>) -> Void
  ) async {
    let observation = parcels.observe(onEvent)
    defer { observation.cancel() }
    while !Task.isCancelled {
      parcels.load()
      let stay = manner == .restless ? Int.random(in: 200...2_000) : 86_400_000
      try? await Task.sleep(for: .milliseconds(stay))
      parcels.cancel()
      try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200)))
    }
  }
}
