#if NATS
  public import SectileHub

  /// What follows a hub for any number of machines, and publishes whole transactions into a stream
  /// of NATS JetStream.
  ///
  /// A hub on PostgreSQL keeps a slot for each replica, and decodes its log for each. A relay has
  /// the only slot; machines read the stream with ``NATSFeed``, each from where it stands. The
  /// relay has a replica of its own, whose rows it publishes as well: a machine that is new, or was
  /// away for longer than the stream keeps, costs the hub nothing.
  ///
  /// ```swift
  /// let relay = NATSRelay(
  ///   of: hub, at: "relay.sqlite", tables: ["depot", "parcel"],
  ///   to: try NATSLocation(servers: ["nats://127.0.0.1:4222"], stream: "depots"))
  /// try await relay.run()  // until the task is cancelled
  /// ```
  ///
  /// What is promised:
  ///
  /// * Transactions are in the stream in the hub's order, each once and whole. The hub may forget
  ///   one only when it is in the stream and in the relay's file.
  /// * Where the relay has to compare its rows with the hub's, or the stream has lost its last
  ///   messages, another generation begins: machines read a snapshot, and go on from there.
  /// * One relay publishes into a stream. A second one takes it over, and the first stands still.
  public final class NATSRelay: Sendable {
    /// How a relay publishes.
    public struct Options: Sendable {
      /// How many bytes a new stream keeps at most, the oldest going first; 0 for no limit.
      ///
      /// A stream that is there stays as it is: how it is kept, and on how many servers, is set
      /// with NATS's own tools.
      public var byteLimit: Int64 = 1 << 30
      /// For how long a new stream keeps transactions; zero for no limit.
      public var ageLimit = Duration.zero
      /// How old the newest snapshot may become while transactions come.
      ///
      /// Another one is made earlier where the stream is about to let go of what follows it.
      public var snapshotInterval = Duration.seconds(3600)
      /// How often to see whether a snapshot is due.
      public var checkInterval = Duration.seconds(1)
      /// How the relay's own replica follows the hub.
      public var replica: ReplicaConfiguration
      /// Hears how many rows a snapshot has that was published, or why none could be.
      public var onSnapshot: (@Sendable (Result<Int, any Error>) -> Void)?

      /// Creates the usual options.
      public init() {
        replica = ReplicaConfiguration()
        replica.keepsChangeLog = false
      }
    }

    private let hub: any ReplicationFeed
    private let path: String
    private let tables: [TableSubscription]
    private let location: NATSLocation
    private let options: Options

    /// Creates a relay, which does nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - hub: What is followed, under a name of the relay's own.
    ///   - path: The file of the relay's replica.
    ///   - tables: What machines can have.
    ///   - location: Where it publishes.
    ///   - options: How.
    public init(
      of hub: some ReplicationFeed, at path: String, tables: [TableSubscription],
      to location: NATSLocation, options: Options = Options()
    ) {
      (self.hub, self.path, self.tables) = (hub, path, tables)
      (self.location, self.options) = (location, options)
    }

    /// Follows the hub and publishes until the task is cancelled, however often the hub or NATS is
    /// lost.
    ///
    /// - Throws: `HubError` and `StoreError` as `Replica.open` does: where the file is new and the
    ///   hub cannot be reached, or cannot be used at all.
    public func run() async throws {
      let tap = RelayTap(hub, location, options)
      let replica = try await Replica.open(
        at: path, following: tap, tables: tables, configuration: options.replica)
      let maker = SnapshotMaker(
        store: replica.store, tap: tap, location: location, options: options)
      await maker.run()
      // The task is cancelled, and the file is to be closed all the same.
      try await Task.detached { try await replica.close() }.value
    }
  }
#endif
