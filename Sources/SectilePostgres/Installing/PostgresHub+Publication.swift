#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Returns the SQL that publishes tables for this replica, for somebody who may run it.
    ///
    /// A snapshot makes the publication itself where the user owns the tables, and takes one that was made with this where it is
    /// for the same tables.
    ///
    /// - Parameter tables: The tables, as ``describe(_:)`` returned them.
    /// - Returns: Statements in one transaction, which may be run again.
    /// - Throws: `HubError`: `noSuchTable`; `unavailable`.
    public func publicationSQL(for tables: [SyncedTable]) async throws -> String {
      let name = objectName
      return try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          let known = try tables.map { (synced: $0, table: try session.existingTable($0.name)) }
          return Publication(name: name, tables: known).sql
        }
      }
    }
  }
#endif
