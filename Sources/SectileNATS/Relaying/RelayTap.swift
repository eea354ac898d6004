#if NATS
  internal import SectileHub
  internal import Synchronization

  /// The hub as a relay's own replica sees it: what comes is published before the replica has it.
  ///
  /// So the replica is never ahead of the log. What it confirms to the hub is on its disk, and in
  /// the log.
  final class RelayTap: ReplicationFeed, MutationSink {
    private let hub: any ReplicationFeed
    private let location: NATSLocation
    private let options: NATSRelay.Options

    // MARK: - Mutable state
    //
    // - `owned`: what was published into last; guarded by its mutex.
    private let owned = Mutex<OwnedGeneration?>(nil)

    init(_ hub: any ReplicationFeed, _ location: NATSLocation, _ options: NATSRelay.Options) {
      (self.hub, self.location, self.options) = (hub, location, options)
    }

    /// What this relay publishes into; nil while it has not begun.
    var generation: OwnedGeneration? { owned.withLock { $0 } }

    func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
      try await hub.describe(subscriptions)
    }

    func validate(_ token: HubToken) async throws -> ResumeDecision {
      try await hub.validate(token)
    }

    func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
      try await hub.snapshot(of: tables)
    }

    func heartbeat() async throws { try await hub.heartbeat() }

    func state(of tables: [SyncedTable]) async throws -> HubState {
      try await hub.state(of: tables)
    }

    func stream(
      after token: HubToken, of tables: [SyncedTable]
    ) async throws -> any HubStream {
      let versions = try await hub.state(of: tables).schemaVersions
      let connection = NATSConnection(location, name: "sectile relay \(location.stream)")
      do {
        let publisher = try await self.publisher(at: token, versions, connection)
        let stream = try await hub.stream(after: token, of: tables)
        return TappedStream(stream, connection, publisher)
      } catch {
        await connection.close()
        throw error
      }
    }

    private func publisher(
      at token: HubToken, _ versions: ClosedRange<Int>?, _ connection: NATSConnection
    ) async throws -> LogPublisher {
      let (location, options, former) = (location, options, generation)
      let made = try await connection.run { session -> LogPublisher in
        try LogPublisher(
          at: token, versions: versions, owning: former?.generation, in: session, location, options)
      }
      // Whoever does not hear the answer to the beginning knows its own generation again.
      let own = OwnedGeneration(generation: made.generation, source: token)
      owned.withLock { $0 = own }
      return try await connection.run { session -> LogPublisher in
        var publisher = made
        try publisher.begin(in: session)
        return publisher
      }
    }

    func perform(_ mutation: Mutation) async throws -> MutationResult {
      throw HubError(
        .notPermitted, message: "a relay writes nothing to the hub",
        hint: "Write through a replica of a machine.")
    }
  }

  /// A generation that a relay publishes into.
  struct OwnedGeneration: Sendable {
    let generation: RelayRecord.Generation
    /// Where the relay's file stood at the hub when it went on with it.
    let source: HubToken
  }

  /// A stream of the hub whose transactions are published before they are handed on.
  final class TappedStream: HubStream {
    private let stream: any HubStream
    private let connection: NATSConnection

    // MARK: - Mutable state
    //
    // - `publisher`: used on the connection's queue.
    private let publisher: Mutex<LogPublisher>

    init(_ stream: any HubStream, _ connection: NATSConnection, _ publisher: LogPublisher) {
      (self.stream, self.connection, self.publisher) = (stream, connection, Mutex(publisher))
    }

    func next(limit: Int) async throws -> [HubMessage] {
      let messages = try await stream.next(limit: limit)
      // A position at which nothing was committed is none of the log's: where the file stands, a
      // generation began or a transaction ends.
      let transactions = messages.compactMap { message -> HubTransaction? in
        if case .transaction(let transaction) = message { transaction } else { nil }
      }
      guard !transactions.isEmpty else { return [] }
      try await connection.run { session in
        try self.publisher.withLock { publisher in
          for transaction in transactions { try publisher.publish(transaction, in: session) }
        }
      }
      return transactions.map { .transaction($0) }
    }

    func confirm(_ position: HubPosition) async throws { try await stream.confirm(position) }

    func close() async {
      await stream.close()
      await connection.close()
    }
  }
#endif
