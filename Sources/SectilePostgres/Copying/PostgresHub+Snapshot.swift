#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Begins to read all rows of tables as they were at one position, from which a stream then
    /// leads on.
    ///
    /// It publishes the tables where that is not so already, for all replicas that have the same
    /// subscription, ends what the server kept for this one until now with a stream of this hub
    /// that is still connected, and makes a new slot. That waits for the transactions which the
    /// server has open; a cancelled task ends the waiting. The rows come by a binary copy.
    ///
    /// Until the snapshot is closed, nobody else follows or copies under the replica's name. Where
    /// another session uses the name already, the call waits for its end
    /// (``PostgresHubOptions/takeoverDelay``).
    ///
    /// - Parameter tables: The tables, as ``describe(_:)`` returned them.
    /// - Returns: The snapshot, to be closed.
    /// - Throws: `HubError`: `unsupportedServer` where `wal_level` is not `logical`;
    ///   `notPermitted`, with the SQL for somebody who may; `invalidSubscription`, `noSuchTable`;
    ///   `nameInUse`; `unavailable`.
    public func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
      let name = objectName
      let (known, publication) = try await pool.run { session in
        try translating("the snapshot cannot be prepared") {
          try session.checkLogLevel()
          let known = try session.known(tables).map {
            CopiedTable(synced: $0.synced, table: $0.table)
          }
          for table in known { try table.check() }
          let publication = try session.publicationName(
            for: SyncedTable.fingerprint(of: tables), own: name)
          try session.make(
            Publication(
              name: publication, tables: known.map { (synced: $0.synced, table: $0.table) }))
          return (known, publication)
        }
      }
      let slot = name + "_" + Self.generation()
      let replication = try await replicationConnection()
      do {
        let claim = claim
        try await replication.run { session in
          try translating("the replica's name cannot be taken") {
            try claim.take(for: .copying, in: session)
          }
        }
        try await pool.run { session in
          try translating("the snapshot cannot be prepared") {
            try session.drop(session.slots(of: name))
            try session.dropUnusedPublications(own: name, except: publication)
          }
        }
        let begin = try await replication.run { session in
          try translating(
            "the slot \(slot) cannot be made", sql: "ALTER ROLE … REPLICATION;"
          ) {
            try session.beginSnapshot(slot: slot, tables: known, publication: publication)
          }
        }
        return PostgresSnapshot(
          hub: self, connection: replication, slot: slot, tables: known, begin: begin)
      } catch {
        await replication.close()
        await drop(slot: slot)
        throw error
      }
    }

    private static func generation() -> String {
      let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Drops a slot that nobody will use, as far as that is possible now: the next snapshot does it
    /// otherwise.
    func drop(slot: String) async {
      let name = objectName
      // What cancelled the task is no reason to leave the slot behind.
      await Task { [pool] in
        try? await pool.run { session in
          try session.drop(session.slots(of: name).filter { $0.name == slot })
        }
      }.value
    }
  }
#endif
