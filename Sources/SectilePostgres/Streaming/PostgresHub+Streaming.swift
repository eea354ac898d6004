#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Says whether a replica may go on at a token.
    ///
    /// It compares the hub and its history, the slot with its position, where the server's log
    /// ends, and what is published for the replica. Whether the tables themselves are as they were
    /// is told by ``describe(_:)``: who compares `SyncedTable.fingerprint(of:)` with the token's
    /// sees it.
    ///
    /// - Parameter token: Where the replica stands.
    /// - Returns: Whether a stream leads on from there.
    /// - Throws: `HubError`: `unavailable`, `notPermitted`, `unsupportedServer`.
    public func validate(_ token: HubToken) async throws -> ResumeDecision {
      let name = objectName
      let connection = try await replicationConnection(answerLimit: options.answerLimit)
      do {
        let verdict = try await connection.run { session in
          try translating(
            "PostgreSQL does not say where the replica stands", sql: "ALTER ROLE … REPLICATION;"
          ) {
            try session.verdict(on: token, objectName: name)
          }
        }
        await connection.close()
        return verdict
      } catch {
        await connection.close()
        throw error
      }
    }

    /// Begins to follow the commits after a token.
    ///
    /// - Parameters:
    ///   - token: Where the replica stands; one that ``validate(_:)`` lets resume, or that of a
    ///     snapshot.
    ///   - tables: What the replica has, as ``describe(_:)`` returned it.
    /// - Returns: The stream, to be closed.
    /// - Throws: `HubError`: `unavailable`, also where the token leads nowhere, which
    ///   ``validate(_:)`` then tells, and where another stream of this hub uses the slot;
    ///   `nameInUse` where somebody else uses the replica's name, and does not end within a second;
    ///   `invalidSubscription` where the tables are not the token's; `noSuchTable`, `schemaAhead`
    ///   where the server's tables are not those any more; `notPermitted`, `unsupportedServer`.
    public func stream(
      after token: HubToken, of tables: [SyncedTable]
    ) async throws -> any HubStream {
      guard SyncedTable.fingerprint(of: tables) == token.tables else {
        throw HubError(
          .invalidSubscription, message: "the tables are not those of the replica's token",
          hint: "Where tables have changed, the replica is compared with a new snapshot.")
      }
      let name = objectName
      let sources = try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          let known = try session.existingTables(tables.map(\.name))
          return try StreamSources(
            tables: zip(tables, known).map { (synced: $0, table: $1) })
        }
      }
      let connection = try await replicationConnection(answerLimit: options.answerLimit)
      do {
        let (options, claim) = (options, claim)
        try await connection.run { session in
          try translating(
            "the stream cannot begin", sql: "ALTER ROLE … REPLICATION;"
          ) {
            try claim.take(for: .following, in: session)
            if case .resync(let reason) = try session.verdict(on: token, objectName: name) {
              throw HubError(
                .unavailable, message: "the stream cannot begin at \(token.position): \(reason)",
                hint: "validate(_:) tells it before.")
            }
            let publication = try session.publicationName(for: token.tables, own: name)
            try session.beginCopy(
              """
              START_REPLICATION SLOT \(PostgresName.quote(token.slot)) LOGICAL \(token.position) (\
              proto_version '\(options.streamsLargeTransactions ? 2 : 1)', \
              \(options.streamsLargeTransactions ? "streaming 'on', " : "")\
              publication_names '\(PostgresName.quote(publication))')
              """)
          }
        }
      } catch {
        await connection.close()
        throw error
      }
      return PostgresStream(
        connection: connection, assembler: StreamAssembler(sources: sources, after: token.position),
        options: options)
    }
  }
#endif
