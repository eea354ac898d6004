#if Postgres
  internal import SectileHub

  extension PostgresHub {
    /// Sets up the hub: its own tables, and a column with a trigger in each table that replicas
    /// have.
    ///
    /// The column (`SyncedTable.revisionColumn`) tells which state of a row a writer saw, whoever
    /// changed it. What is there already stays as it is, and where all is there nothing is done, so
    /// a program may call this whenever it starts. Each table is changed in a transaction of its
    /// own, which locks it for a moment. A table that somebody uses for longer is tried again, five
    /// times for two seconds: all who come later would wait behind it.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that gets the rights to follow the tables and to write to them; nil where
    ///     rights are given otherwise.
    /// - Returns: Whether anything was done; with a role always.
    /// - Throws: `HubError`: `noSuchTable`; `invalidSubscription` for what is no table that
    ///   replicas can have, before anything is changed; `notPermitted`, with the SQL for somebody
    ///   who may; `unavailable`, also where a table is in use all the time.
    @discardableResult
    public func install(_ tables: [String], role: String? = nil) async throws -> Bool {
      let (sql, parts) = (
        installationSQL(for: tables, role: role), installationParts(for: tables, role: role)
      )
      return try await pool.run { session in
        try translating("the hub cannot be set up", sql: sql, refusal: .invalidSubscription) {
          let found = try tables.map { try session.existingTable($0) }
          for (name, table) in zip(tables, found) { try table.checkKind(name) }
          if role == nil, try session.isInstalled(found) { return false }
          let limit = session.answerLimit
          session.answerLimit = nil
          defer { session.answerLimit = limit }
          for part in parts {
            try session.persist { try session.execute("BEGIN;\n\(part)\nCOMMIT;") }
          }
          return true
        }
      }
    }

    /// Returns the SQL that sets up the hub, for somebody who may run it.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that is to follow the tables and to write to them; nil where rights are
    ///     given otherwise. A publication is made by who owns the tables: see
    ///     ``publicationSQL(for:)``.
    /// - Returns: Statements, each table's in a transaction of its own, which may be run again.
    ///   They fail where a table is in use for longer than two seconds.
    public func installationSQL(for tables: [String], role: String? = nil) -> String {
      installationParts(for: tables, role: role).map { "BEGIN;\n\($0)\nCOMMIT;" }
        .joined(separator: "\n")
    }

    /// What belongs in a transaction each.
    private func installationParts(for tables: [String], role: String?) -> [String] {
      let names = tables.map { PostgresName.quote(table: $0) }
      let parts = [InstallationSQL.hub] + names.map { InstallationSQL.table($0) }
      return parts + (role.map { [InstallationSQL.grants(names, to: $0)] } ?? [])
    }

    /// Returns the SQL with which a migration tells replicas which versions of the schema the hub
    /// supports from then on.
    ///
    /// It belongs in the migration's own transaction: replicas get it in the same place among the
    /// commits.
    ///
    /// - Parameter versions: The versions that programs may be of.
    /// - Returns: One statement.
    public static func schemaVersionsSQL(_ versions: ClosedRange<Int>) -> String {
      """
      INSERT INTO sectile.schema_version (id, minimum, maximum)
      VALUES (1, \(versions.lowerBound), \(versions.upperBound))
      ON CONFLICT (id) DO UPDATE SET minimum = excluded.minimum, maximum = excluded.maximum;
      """
    }
  }

  extension PostgresSession {
    /// Runs statements in one transaction, again where a lock that they need is not to be had in
    /// time.
    fileprivate func persist(_ body: () throws -> PostgresResult) throws {
      var attempt = 1
      while true {
        do {
          _ = try body()
          return
        } catch {
          if !isBroken, !isIdle { _ = try execute("ROLLBACK") }
          guard let error = error as? PostgresError, error.isAboutLock, attempt < 5 else {
            throw error
          }
          attempt += 1
        }
      }
    }

    /// Whether the hub's own tables are there, and all that the tables get.
    fileprivate func isInstalled(_ tables: [PostgresTable]) throws -> Bool {
      let names = HubTables.Kind.allCases.map(\.quotedName) + ["sectile.revision"]
      let missing = try query(
        "SELECT count(*) FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL",
        texts: ["{" + names.joined(separator: ",") + "}"])
      guard missing.rows == [["0"]], tables.allSatisfy(\.hasRevision) else { return false }
      let numbers = "{" + tables.map { "\($0.number)" }.joined(separator: ",") + "}"
      let triggers = try query(
        """
        SELECT count(*) FROM pg_trigger WHERE tgname = 'sectile_revision'
          AND tgenabled = 'A' AND tgrelid = ANY ($1::oid[])
        """, texts: [numbers])
      return triggers.rows == [["\(tables.count)"]]
    }
  }
#endif
