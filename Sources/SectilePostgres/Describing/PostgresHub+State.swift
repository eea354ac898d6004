#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Says how the server stands at this moment: where its log ends, how the replica's tables are
    /// defined, and which versions of the schema it supports.
    ///
    /// It asks the catalog two short questions, by which a replica finds out what the log does not
    /// tell.
    ///
    /// - Parameter tables: What the replica has.
    /// - Returns: How it stands.
    /// - Throws: `HubError` `unavailable`.
    public func state(of tables: [SyncedTable]) async throws -> HubState {
      let own = objectName
      return try await pool.run { session in
        try translating("PostgreSQL does not say how it stands") {
          let name = try session.publicationName(
            for: SyncedTable.fingerprint(of: tables), own: own)
          let question =
            "SELECT pg_current_wal_flush_lsn(), (\(DefinitionSQL.text(of: tables, publication: name)))"
          let row: [String?]?
          do {
            let versions =
              ", minimum, maximum FROM (SELECT) AS hub LEFT JOIN sectile.schema_version ON true"
            row = try session.execute(question + versions).rows.first
          } catch let error as PostgresError where error.isAboutMissingTables || error.isAboutRights
          {
            row = try session.execute(question).rows.first
          }
          guard let row, let position = (row.first ?? nil).flatMap({ HubPosition($0) }) else {
            throw ByteReader.malformed("a position is none")
          }
          let numbers = row.dropFirst(2).compactMap { $0.flatMap { Int($0) } }
          return HubState(
            position: position, definition: row[1],
            schemaVersions: numbers.count == 2 && numbers[0] <= numbers[1]
              ? numbers[0]...numbers[1] : nil)
        }
      }
    }
  }
#endif
