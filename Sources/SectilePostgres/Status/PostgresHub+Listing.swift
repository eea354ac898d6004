#if Postgres
  public import FoundationEssentials

  internal import SectileHub

  extension PostgresHub {
    /// A replica for which the server keeps its log.
    public struct ListedReplica: Hashable, Sendable {
      /// Its name.
      public var name: String
      /// What the server keeps for it.
      public var status: PostgresHubStatus
      /// The address that its stream comes from; nil where none is connected, or comes by a socket
      /// of the server's machine.
      public var address: String?
      /// How long the replica took to have on its disk what the server wrote last; nil where the
      /// server does not know.
      public var lag: Duration?
      /// When the server last heard of it; nil where the server does not know: of replicas that are
      /// not connected, before PostgreSQL 17.
      public var lastSeen: Date?

      /// How many bytes of the server's log the replica has not confirmed; nil where it never
      /// confirmed any.
      public var behindByteCount: Int64? {
        status.confirmedPosition.map { confirmed in
          let position = min(confirmed, status.currentPosition)
          return Int64(clamping: status.currentPosition.byteCount - position.byteCount)
        }
      }
    }

    /// Lists all replicas for which the server keeps its log in this database.
    ///
    /// ```swift
    /// for replica in try await hub.replicas() where !replica.status.isActive {
    ///   print(replica.name, replica.status.retainedByteCount ?? 0)
    /// }
    /// ```
    ///
    /// - Returns: The replicas in the order of their names. Address, lag and time are told to the
    ///   role that a replica connects as, and to roles with the rights of `pg_read_all_stats`.
    /// - Throws: `HubError`: `unavailable`, `notPermitted`.
    public func replicas() async throws -> [ListedReplica] {
      try await pool.run { session in
        try translating("PostgreSQL does not list the replicas") {
          let end = try session.currentPosition()
          let signs = try session.signsOfReplicas()
          var replicas: [String: ListedReplica] = [:]
          // Where a replica has two for a moment, the newest is the last.
          for slot in try session.slots(named: PostgresSession.replicaPattern) {
            guard let name = PostgresHub.name(ofSlot: slot.name) else { continue }
            let sign = signs[slot.name]
            replicas[name] = ListedReplica(
              name: name, status: PostgresHubStatus(slot, end: end), address: sign?.address,
              lag: sign?.lag, lastSeen: sign?.lastSeen)
          }
          return replicas.values.sorted { $0.name < $1.name }
        }
      }
    }
  }

  extension PostgresHubStatus {
    /// Makes the status of a slot.
    init(_ slot: SlotState?, end: HubPosition) {
      self.init(
        slot: slot?.name, isActive: slot?.isActive ?? false, walStatus: slot?.walStatus,
        invalidationReason: slot?.invalidationReason, retainedByteCount: slot?.retainedByteCount,
        safeByteCount: slot?.safeByteCount, confirmedPosition: slot?.confirmed,
        currentPosition: end)
    }
  }

  /// What the server has heard of a replica.
  struct ReplicaSign: Sendable {
    var address: String?
    var lag: Duration?
    var lastSeen: Date?
  }

  extension PostgresSession {
    /// The names of the slots of all replicas.
    static let replicaPattern = "^sectile_[a-z0-9_]+_[0-9a-f]{8}$"

    /// What the server has heard of each replica, by the names of slots.
    func signsOfReplicas() throws -> [String: ReplicaSign] {
      let since = serverVersion >= 170000 ? "s.inactive_since" : "NULL::timestamptz"
      let found = try execute(
        """
        SELECT s.slot_name, host(r.client_addr), (extract(epoch FROM r.replay_lag) * 1000)::bigint,
          extract(epoch FROM coalesce(r.reply_time, \(since)))
        FROM pg_replication_slots s LEFT JOIN pg_stat_replication r ON r.pid = s.active_pid
        WHERE s.slot_name ~ '\(Self.replicaPattern)' AND s.database = current_database()
        """)
      var signs: [String: ReplicaSign] = [:]
      for row in found.rows {
        guard row.count == 4, let name = row[0] else { continue }
        signs[name] = ReplicaSign(
          address: row[1],
          lag: row[2].flatMap { Int64($0) }.map { Duration.milliseconds($0) },
          lastSeen: row[3].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) })
      }
      return signs
    }
  }
#endif
