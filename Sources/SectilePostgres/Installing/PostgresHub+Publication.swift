#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Returns the SQL that publishes tables for replicas, for somebody who may run it.
    ///
    /// All replicas of the same tables, columns and conditions share the publication, so it is run
    /// once for all of them. A snapshot makes it itself where the user owns the tables, and takes
    /// one that was made with this.
    ///
    /// - Parameter tables: The tables, as ``describe(_:)`` returned them.
    /// - Returns: Statements in one transaction, which may be run again. They fail where the server
    ///   would refuse changes of a table by what they publish.
    /// - Throws: `HubError`: `noSuchTable`; `invalidSubscription` where it would; `unavailable`.
    public func publicationSQL(for tables: [SyncedTable]) async throws -> String {
      let own = objectName
      return try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          let known = try session.known(tables)
          let name = try session.publicationName(
            for: SyncedTable.fingerprint(of: tables), own: own)
          return Publication(name: name, tables: known).sql
        }
      }
    }
  }

  extension PostgresSession {
    /// Looks up tables that were described, and refuses what would stop those who write to them.
    func known(_ tables: [SyncedTable]) throws -> [(synced: SyncedTable, table: PostgresTable)] {
      try zip(tables, existingTables(tables.map(\.name))).map { synced, table in
        try checkCondition(of: synced, in: table)
        let isWhole = table.columns.allSatisfy { column in
          column.isGenerated || synced.columns.contains { $0.name == column.name }
        }
        if !isWhole { try table.checkNeeded(synced.columns.map(\.name), synced.name) }
        return (synced, table)
      }
    }
  }
#endif
