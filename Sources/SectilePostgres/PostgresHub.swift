#if Postgres
  public import SectileHub

  internal import Synchronization

  /// A hub on PostgreSQL 15 or later: what a replica follows by logical replication, and writes to.
  ///
  /// The server keeps its log for each replica, under the replica's name, until the replica has
  /// told that it has what it says (`HubStream.confirm(_:)`). So every replica has a name of its
  /// own, which is refused while another session uses it (`nameInUse`), and one that is not coming
  /// back is taken off with ``detach()``: the server's disk fills up otherwise.
  /// `max_slot_wal_keep_size` is a limit to that; ``status()`` tells how near it is.
  ///
  /// ```swift
  /// let hub = try PostgresHub(
  ///   connection: "host=db.example dbname=depots user=replica", name: "depot7")
  /// try await hub.install(["depot", "parcel"])  // once; or by who may, see installationSQL(for:)
  /// let tables = try await hub.describe(["depot", "parcel"])
  /// ```
  ///
  /// The server needs `wal_level = logical`, a slot and a sender for each replica
  /// (`max_replication_slots`, `max_wal_senders`), and a role with `REPLICATION` that may read the
  /// tables. The connection's string may name several servers, and should then ask for
  /// `target_session_attrs=read-write`.
  ///
  /// Any number of tasks may use a hub. What waits for the server waits on threads of the hub's
  /// own.
  public final class PostgresHub: Sendable {
    /// Which replica it is, in the names of what the server keeps for it.
    public let name: String
    /// How it speaks to the server.
    public let options: PostgresHubOptions

    let connection: String
    let pool: ConnectionPool
    let claim: NameClaim

    // MARK: - Mutable state
    //
    // - `knownTables`: what the catalog said of tables that were written to, by their names.
    // - `interruptions`: why mutations were not answered of which those before were, and that were
    //   not sent again.
    let knownTables = Mutex<[String: PostgresTable]>([:])
    let interruptions = Mutex<[MutationID: HubError]>([:])

    /// Creates a hub, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - connection: Where the server is: words and values (`host=… dbname=…`), or an address
    ///     (`postgresql://…`), as libpq reads them; what is not said comes from the environment,
    ///     such as `PGHOST`.
    ///   - name: The replica's name: 1 to 40 lower-case letters, digits and underscores, the same
    ///     in every run.
    ///   - options: How to speak to the server.
    /// - Throws: `HubError`: `invalidSubscription` for a name that is none, and for a connection
    ///   that libpq cannot read, which is not repeated because it may hold a password;
    ///   `unavailable` where the process has no file descriptor left.
    public init(
      connection: String, name: String, options: PostgresHubOptions = PostgresHubOptions()
    ) throws {
      let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
      guard (1...40).contains(name.count), name.allSatisfy(letters.contains) else {
        throw HubError(
          .invalidSubscription, message: "'\(name)' is no name for a replica",
          hint: "It is 1 to 40 lower-case letters, digits and underscores, as in names of slots.")
      }
      try ConnectionString.check(connection)
      (self.connection, self.name, self.options) = (connection, name, options)
      claim = NameClaim(of: name, delay: options.takeoverDelay)
      let target = PostgresTarget(
        connection: connection, applicationName: "sectile_\(name)",
        connectTimeout: options.connectTimeout, answerLimit: options.answerLimit)
      pool = try ConnectionPool(target, count: options.connectionCount)
    }

    /// The publication's name, and the beginning of the slots' names.
    var objectName: String { "sectile_\(name)" }

    /// The replica's name in the name of its slot; nil for the slot of something else.
    package static func name(ofSlot slot: String) -> String? {
      guard slot.hasPrefix("sectile_"), let end = slot.lastIndex(of: "_") else { return nil }
      let name = slot[..<end].dropFirst("sectile_".count)
      return name.isEmpty || slot[end...].count != 9 ? nil : String(name)
    }

    /// A connection for replication, to be used for one thing, whose answers may take as long as
    /// they take unless it is said.
    ///
    /// Whether the user may have one is asked before: a server that refuses it says so without a
    /// code.
    func replicationConnection(answerLimit: Duration? = nil) async throws -> PostgresConnection {
      try await pool.run { session in
        try translating("PostgreSQL does not say who the user is") {
          try session.checkReplicationRight()
        }
      }
      return try PostgresConnection(
        PostgresTarget(
          connection: connection, applicationName: objectName, isReplication: true,
          connectTimeout: options.connectTimeout, answerLimit: answerLimit),
        reconnects: false)
    }

    /// Closes the connections of calls; snapshots and streams are closed by themselves.
    ///
    /// Calls that are under way end with `unavailable`, and so do all later ones.
    public func close() async {
      await pool.close()
    }
  }

  extension PostgresHub: ReplicationFeed, MutationSink {}
#endif
