#if Postgres
  public import SectileHub

  internal import Synchronization

  extension PostgresHub {
    /// How often a transaction is tried that others were in the way of.
    private static let attemptLimit = 5

    /// Performs a mutation in one transaction, or refuses it.
    ///
    /// Rows are found by their key, and by their revision where the mutation names one, whose
    /// column and trigger ``install(_:role:)`` makes. The server's rules hold: a value that does
    /// not fit and a unique column that is taken are refusals of the kind `constraint`, missing
    /// rights on a table are of the kind `notPermitted`. An insert of a key that is there, and an
    /// update of a row that is gone, are conflicts; a delete of a row that is gone is one only
    /// where it names a revision.
    ///
    /// - Parameter mutation: The mutation; of one client, one at a time.
    /// - Returns: What became of it, when that is on the server's disk.
    /// - Throws: `HubError`: `unavailable` where it is not known what became of it;
    ///   `mutationOutOfOrder`, `mutationReused`; `notPermitted` and `noSuchTable` where the hub's
    ///   own tables are not to be written to, or not there.
    public func perform(_ mutation: Mutation) async throws -> MutationResult {
      guard !mutation.id.client.utf8.contains(0) else {
        throw HubError(
          .mutationReused, message: "PostgreSQL does not store names of clients with a zero byte",
          hint: "Use another name.")
      }
      return try await pool.run { session in
        try translating("the mutation cannot be performed", sql: HubTables.grantSQL) {
          try session.syncCommits()
          var attempt = 1
          while true {
            do {
              return try self.perform(mutation, session)
            } catch let error as PostgresError
              where error.isTransient && attempt < Self.attemptLimit
            {
              attempt += 1
            } catch let error as PostgresError where error.isAboutMissingTables {
              throw HubTables.missing(error)
            }
          }
        }
      }
    }

    private func perform(
      _ mutation: Mutation, _ session: PostgresSession
    ) throws -> MutationResult {
      let isKnown = knownTables.withLock { known in
        mutation.changes.contains { known[$0.table] != nil }
      }
      do {
        return try writer(of: mutation, session, isCatalogOld: isKnown).perform()
      } catch is MutationWriter.CatalogOld {
        knownTables.withLock { $0 = [:] }
        return try writer(of: mutation, session, isCatalogOld: false).perform()
      }
    }

    private func writer(
      of mutation: Mutation, _ session: PostgresSession, isCatalogOld: Bool
    ) -> MutationWriter {
      MutationWriter(mutation: mutation, session: session, isCatalogOld: isCatalogOld) { name in
        if let known = self.knownTables.withLock({ $0[name] }) { return known }
        let table = try session.table(named: name)
        self.knownTables.withLock { $0[name] = table }
        return table
      }
    }
  }

  extension PostgresSession {
    /// Has a commit wait for the server's disk, where the server's settings would not.
    fileprivate func syncCommits() throws {
      _ = try query(
        """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'
        """)
    }
  }
#endif
