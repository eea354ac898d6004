#if Postgres
  public import SectileHub

  internal import SectileStore

  extension PostgresHub {
    /// Finds out whether a replica's rows are the hub's, without copying them.
    ///
    /// The server makes a temporary slot, and adds up the digests of the rows of each table in one
    /// transaction that sees the hub as it was at the slot's position. The replica does the same
    /// with its own rows, as soon as it has come there, part by part of each table. Only in parts
    /// whose sums differ are the digests of single rows compared, and rows that the hub has changed
    /// since then, as the slot's stream tells, are left out. Nothing is written.
    ///
    /// ```swift
    /// let found = try await hub.verify(replica)
    /// if !found.isEqual { try await replica.resync() }
    /// ```
    ///
    /// The slot waits for the transactions that the server has open, and the server needs one slot,
    /// one sender and one connection more meanwhile.
    ///
    /// - Parameters:
    ///   - replica: The replica, for which this process or another one follows the hub.
    ///   - limit: How many rows of each table are named at most, at least one. Where so many are
    ///     found, no others are looked for.
    /// - Returns: What was found.
    /// - Throws: `HubError`: `notReplica`; `unavailable`, also where a table is emptied meanwhile;
    ///   `invalidSubscription`, `noSuchTable`, `schemaAhead` where the hub's tables are not those
    ///   of the replica any more, or it is another hub; `notPermitted`, `unsupportedServer`; what
    ///   `Replica.catchUp()` throws. `StoreError`. `CancellationError`.
    /// - Complexity: One pass over all rows on both sides, and one more of each table that differs.
    public func verify(
      _ replica: Replica, namingAtMost limit: Int = 20
    ) async throws -> Verification {
      guard let state = try await replica.store.read({ try ReplicaFileState(in: $0) }) else {
        throw HubError(.notReplica, message: "the file is no replica of a hub")
      }
      let name = objectName
      let (tables, publication) = try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          try session.checkLogLevel()
          let tables = try session.known(state.tables).map {
            try VerifiedTable(CopiedTable(synced: $0.synced, table: $0.table))
          }
          let publication = try session.publicationName(
            for: SyncedTable.fingerprint(of: state.tables), own: name)
          return (tables, publication)
        }
      }
      let changes = try await HubChanges(
        replicationConnection(), tables, publication: publication, options: options)
      do {
        let reader = try await reader(of: changes)
        do {
          let found = try await verify(
            tables, of: replica, in: state.token.system, reader, changes, max(1, limit))
          await reader.close()
          await changes.close()
          return found
        } catch {
          await reader.close()
          throw error
        }
      } catch {
        await changes.close()
        throw error
      }
    }

    /// A connection whose transaction sees the hub as it was at the slot's position.
    private func reader(of changes: HubChanges) async throws -> PostgresConnection {
      let begin = try await changes.begin()
      let reader = try PostgresConnection(
        PostgresTarget(
          connection: connection, applicationName: objectName, readsWholeTables: true,
          connectTimeout: options.connectTimeout, answerLimit: nil),
        reconnects: false)
      do {
        try await reader.run { session in
          try translating("the hub cannot be read as it was") {
            try session.allowLongTransactions()
            _ = try session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            _ = try session.execute(
              "SET TRANSACTION SNAPSHOT \(PostgresName.quote(text: begin.snapshot))")
          }
        }
        return reader
      } catch {
        await reader.close()
        throw error
      }
    }

    private func verify(
      _ tables: [VerifiedTable], of replica: Replica, in system: String,
      _ reader: PostgresConnection, _ changes: HubChanges, _ limit: Int
    ) async throws -> Verification {
      let begin = try await changes.begin()
      guard begin.system == system else {
        throw HubError(
          .invalidSubscription, message: "the file is a replica of another hub",
          hint: "Name the hub that the replica follows.")
      }
      // Behind the slot's position by now, or there.
      try await replica.catchUp()
      var found = Verification(position: begin.position, tables: [])
      for table in tables {
        let comparison = TableVerification(
          table: table, store: replica.store, reader: reader, changes: changes, limit: limit)
        found.tables.append(try await comparison.run())
      }
      return found
    }
  }
#endif
