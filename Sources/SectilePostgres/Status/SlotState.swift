#if Postgres
  internal import SectileHub

  /// A slot as the server lists it.
  struct SlotState: Sendable {
    var name: String
    var isActive: Bool
    var processNumber: String?
    var walStatus: String?
    var invalidationReason: String?
    var retainedByteCount: Int64?
    var safeByteCount: Int64?
    var confirmed: HubPosition?

    /// Why the server has given it up, where it has.
    var lossReason: String? {
      if let invalidationReason { return invalidationReason }
      guard walStatus == "lost" else { return nil }
      return "the log grew beyond max_slot_wal_keep_size"
    }
  }

  extension PostgresSession {
    /// The slots of a replica in this database, the newest last where there are several.
    ///
    /// Their names begin with `objectName`, and a number of eight digits to the base of 16 follows.
    func slots(of objectName: String) throws -> [SlotState] {
      try slots(named: "^\(objectName)_[0-9a-f]{8}$")
    }

    /// The slots of this database whose names a regular expression describes, the newest last of
    /// each replica.
    func slots(named pattern: String) throws -> [SlotState] {
      let reason = serverVersion >= 170000 ? "invalidation_reason" : "NULL"
      // The simple protocol, which connections for replication have too; the name is made of
      // letters and digits.
      let found = try execute(
        """
        SELECT slot_name, active, active_pid, wal_status, \(reason), safe_wal_size,
          confirmed_flush_lsn,
          CASE WHEN pg_is_in_recovery() THEN NULL
            ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint END
        FROM pg_replication_slots
        WHERE slot_name ~ '\(pattern)' AND database = current_database()
        ORDER BY confirmed_flush_lsn NULLS FIRST
        """)
      return found.rows.compactMap { row in
        guard row.count == 8, let name = row[0] else { return nil }
        return SlotState(
          name: name, isActive: row[1] == "t", processNumber: row[2], walStatus: row[3],
          invalidationReason: row[4], retainedByteCount: row[7].flatMap { Int64($0) },
          safeByteCount: row[5].flatMap { Int64($0) },
          confirmed: row[6].flatMap { HubPosition($0) })
      }
    }

    /// Where the server's log ends.
    func currentPosition() throws -> HubPosition {
      let text = try execute("SELECT pg_current_wal_flush_lsn()").rows.first?.first ?? nil
      guard let position = text.flatMap({ HubPosition($0) }) else {
        throw ByteReader.malformed("a position is none")
      }
      return position
    }

    /// Drops slots; a stream that still uses one is ended.
    func drop(_ slots: [SlotState]) throws {
      for slot in slots {
        if let process = slot.processNumber, slot.isActive {
          _ = try query(
            "SELECT pg_terminate_backend($1::integer, 10000)", texts: [process])
        }
        do {
          _ = try query("SELECT pg_drop_replication_slot($1)", texts: [slot.name])
        } catch let error as PostgresError where error.state == "42704" {
          // Somebody else was faster.
        }
      }
    }
  }
#endif
