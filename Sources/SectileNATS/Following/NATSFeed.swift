#if NATS
  public import SectileHub

  /// The hub as a machine sees it behind a relay: transactions and rows come from NATS JetStream,
  /// writes go to the hub.
  ///
  /// ```swift
  /// let feed = NATSFeed(
  ///   try NATSLocation(servers: ["nats://relay.example:4222"], stream: "depots"), name: "depot7")
  /// let replica = try await Replica.open(
  ///   at: "fleet.sqlite", following: feed, tables: ["depot", "parcel"])
  /// ```
  ///
  /// The replica has the tables of the relay, or some of them, or some of their columns. It goes on
  /// from wherever it stands, as long as the stream keeps what follows; otherwise it is compared
  /// with the relay's newest snapshot. `Replica.catchUp()` waits for what the *relay* has
  /// published; how late that is, the hub's signs of life tell.
  ///
  /// Any number of tasks may use a feed. What waits for the server waits on threads of the feed's
  /// own.
  public final class NATSFeed: ReplicationFeed, MutationSink {
    /// Where the relay publishes.
    public let location: NATSLocation
    /// By what NATS knows the machine in its lists of connections.
    public let name: String
    private let sink: (any MutationSink)?
    private let connection: NATSConnection

    /// Creates a feed, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - location: Where the relay publishes.
    ///   - name: By what NATS knows the machine; it need not be the only one of the name.
    ///   - sink: Where the machine's writes go: the hub. Nil for a machine that does not write.
    public init(_ location: NATSLocation, name: String, writingTo sink: (any MutationSink)? = nil) {
      (self.location, self.name, self.sink) = (location, name, sink)
      connection = NATSConnection(location, name: name)
    }

    /// Describes tables of the relay; see `ReplicationFeed`.
    ///
    /// - Throws: `HubError`: `unavailable` also where the relay has published nothing yet;
    ///   `noSuchTable`; `invalidSubscription`.
    public func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
      let location = location
      return try await connection.run { session -> [SyncedTable] in
        let tables = try Self.head(at: location, session).tables
        return try subscriptions.map { try RelayedTable.describe($0, of: tables) }
      }
    }

    /// Says whether the stream goes on where a machine stands; see `ReplicationFeed`.
    ///
    /// - Throws: `HubError`: `unavailable`.
    public func validate(_ token: HubToken) async throws -> ResumeDecision {
      let location = location
      return try await connection.run { session -> ResumeDecision in
        switch try LogSearch(location, session).place(after: token) {
        case .next: return .resume
        case .resync(let reason): return .resync(reason)
        }
      }
    }

    /// Begins to read the relay's newest snapshot; see `ReplicationFeed`.
    ///
    /// - Throws: `HubError`: `unavailable` also where the relay has not made one yet from which the
    ///   stream leads on; `invalidSubscription`.
    public func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
      let location = location
      let own = NATSConnection(location, name: name)
      do {
        return try await own.run { session -> NATSSnapshot in
          let head = try Self.head(at: location, session)
          guard case .next = try LogSearch(location, session).place(after: head.token) else {
            throw HubError(
              .unavailable, message: "the relay has made no snapshot yet since it began anew",
              hint: "It makes one within seconds while it runs.")
          }
          let views = try tables.map { try RelayedTable($0, of: head.tables) }
          if head.messageCount > 0 {
            try session.subscribe(
              to: location.rowsSubject, in: location.snapshotStream, from: head.firstMessage)
          }
          var token = head.token
          token.tables = SyncedTable.fingerprint(of: tables)
          token.definition = nil
          return NATSSnapshot(
            head, at: token, views, own, patience: location.silenceLimit + location.answerLimit)
        }
      } catch {
        await own.close()
        throw error
      }
    }

    /// Begins to follow the stream; see `ReplicationFeed`.
    ///
    /// - Throws: `HubError`: `unavailable`; `invalidSubscription`.
    public func stream(
      after token: HubToken, of tables: [SyncedTable]
    ) async throws -> any HubStream {
      guard SyncedTable.fingerprint(of: tables) == token.tables else {
        throw HubError(
          .invalidSubscription, message: "the tables are not those of the token")
      }
      let location = location
      let own = NATSConnection(location, name: name)
      do {
        return try await own.run { session -> NATSStream in
          let head = try Self.head(at: location, session)
          let place = try LogSearch(location, session).place(after: token)
          guard head.generation.name == token.slot, case .next(let number) = place else {
            throw HubError(
              .unavailable, message: "the relay's stream does not begin at \(token.position)",
              hint: "validate(_:) tells it before.")
          }
          let views = try tables.map { try RelayedTable($0, of: head.tables) }
          try session.subscribe(to: location.logSubject, in: location.stream, from: number)
          return NATSStream(own, location, LogAssembler(after: token, from: number, views))
        }
      } catch {
        await own.close()
        throw error
      }
    }

    /// Does nothing: the relay has the hub commit signs of life, which come to all machines.
    ///
    /// - Throws: `HubError` with the code `notPermitted`, by which a replica knows it.
    public func heartbeat() async throws {
      throw HubError(.notPermitted, message: "the relay has the hub commit signs of life")
    }

    /// Says how far the relay has come; see `ReplicationFeed`.
    ///
    /// - Throws: `HubError`: `unavailable`.
    public func state(of tables: [SyncedTable]) async throws -> HubState {
      let location = location
      return try await connection.run { session -> HubState in
        guard let last = try LogTail(of: location.stream, in: session).complete else {
          throw HubError(
            .unavailable, message: "the stream \(location.stream) has no transactions yet",
            hint: "Start the relay: sectile hub relay, or NATSRelay.")
        }
        return HubState(position: last.position, schemaVersions: last.schemaVersions)
      }
    }

    private static func head(
      at location: NATSLocation, _ session: NATSSession
    ) throws -> SnapshotHead {
      guard let head = try SnapshotHead.newest(at: location, in: session) else {
        throw HubError(
          .unavailable, message: "no relay has published into the stream \(location.stream)",
          hint: "Start it: sectile hub relay, or NATSRelay.")
      }
      return head
    }

    // MARK: - Writing

    /// Has the hub perform a mutation; see `MutationSink`.
    ///
    /// - Throws: `HubError` with the code `notPermitted` where the feed was made without a way to
    ///   the hub; what the hub throws.
    public func perform(_ mutation: Mutation) async throws -> MutationResult {
      try await way.perform(mutation)
    }

    /// Has the hub perform mutations; see `MutationSink`.
    ///
    /// - Throws: `HubError`, as for one mutation.
    public func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
      try await way.perform(mutations)
    }

    private var way: any MutationSink {
      get throws {
        guard let sink else {
          throw HubError(
            .notPermitted, message: "this machine has no way to the hub for writes",
            hint: "Create the feed with writingTo: and the hub.")
        }
        return sink
      }
    }

    /// Closes the connection of calls; snapshots and streams are closed by themselves.
    ///
    /// Calls that are under way end with `unavailable`, and so do all later ones.
    public func close() async { await connection.close() }
  }
#endif
