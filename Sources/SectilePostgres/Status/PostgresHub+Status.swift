#if Postgres
  internal import SectileHub

  extension PostgresHub {
    /// Asks the server what it keeps for the replica.
    ///
    /// - Returns: The state of the replica's slot, and where the server's log ends.
    /// - Throws: `HubError`: `unavailable`, `notPermitted`.
    public func status() async throws -> PostgresHubStatus {
      let objectName = objectName
      return try await pool.run { session in
        try translating("PostgreSQL does not say how the replica stands") {
          let slot = try session.slots(of: objectName).last
          return PostgresHubStatus(slot, end: try session.currentPosition())
        }
      }
    }

    /// Has the server tell all replicas that it is alive, by a commit that each of them gets.
    ///
    /// Who calls it every few seconds can tell how far behind a replica is by its last heartbeat,
    /// and lets the server forget its log where nothing else happens. Heartbeats are kept for seven
    /// days: by them a replica knows the hub again (`HubToken.heartbeat`). Clients are kept for
    /// ninety days after their last mutation.
    ///
    /// - Throws: `HubError`: `unavailable`; `notPermitted` and `noSuchTable` where the hub is not
    ///   set up.
    public func heartbeat() async throws {
      let sql = HubTables.grantSQL
      try await pool.run { session in
        try translating("the heartbeat cannot be written", sql: sql) {
          do {
            _ = try session.query(
              """
              WITH old AS (DELETE FROM sectile.heartbeat WHERE beat_at < now() - interval '7 days'),
                gone AS (DELETE FROM sectile.client WHERE decided_at < now() - interval '90 days')
              INSERT INTO sectile.heartbeat (beat_at) VALUES (clock_timestamp())
              """)
          } catch let error as PostgresError where error.isAboutMissingTables {
            throw HubTables.missing(error)
          }
        }
      }
    }

    /// Takes the replica off the server: its slots, and a publication that is its own.
    ///
    /// A stream that is connected ends. Publications that replicas share stay for the others; with
    /// the last replica of the database, those go that a replica made, as far as the user owns
    /// them. What ``publicationSQL(for:)`` made stays, and so do the hub's own tables: see
    /// ``uninstall(revoking:)``.
    ///
    /// - Throws: `HubError`: `unavailable`; `notPermitted`, with what somebody runs who may.
    public func detach() async throws {
      let objectName = objectName
      let sql = "DROP PUBLICATION IF EXISTS \(PostgresName.quote(objectName));"
      try await pool.run { session in
        try translating("the replica cannot be taken off", sql: sql) {
          try session.drop(session.slots(of: objectName))
          _ = try session.query("DROP PUBLICATION IF EXISTS \(PostgresName.quote(objectName))")
          try session.dropUnusedPublications(own: objectName, except: nil)
        }
      }
    }
  }
#endif
