#if Postgres
  internal import SectileHub

  extension PostgresHub {
    /// Sets up the hub: its own tables, and a column with a trigger in each table that replicas have.
    ///
    /// The column (`SyncedTable.revisionColumn`) tells which state of a row a writer saw, whoever changed it. What is there
    /// already stays as it is, and where all is there nothing is done, so a program may call this whenever it starts.
    /// What is done is done in one transaction. Adding the column locks each table for a moment.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that gets the rights to follow the tables and to write to them; nil where rights are given otherwise.
    /// - Returns: Whether anything was done; with a role always.
    /// - Throws: `HubError`: `noSuchTable`; `notPermitted`, with the SQL for somebody who may; `unavailable`.
    @discardableResult
    public func install(_ tables: [String], role: String? = nil) async throws -> Bool {
      let sql = installationSQL(for: tables, role: role)
      return try await pool.run { session in
        try translating("the hub cannot be set up", sql: sql, refusal: .invalidSubscription) {
          let found = try tables.map { try session.existingTable($0) }
          if role == nil, try session.isInstalled(found) { return false }
          let limit = session.answerLimit
          session.answerLimit = nil
          defer { session.answerLimit = limit }
          // One text is one transaction, and it has its own BEGIN and COMMIT for who runs it by hand.
          do {
            _ = try session.execute(sql)
          } catch {
            if !session.isBroken, !session.isIdle { _ = try session.execute("ROLLBACK") }
            throw error
          }
          return true
        }
      }
    }

    /// Returns the SQL that sets up the hub, for somebody who may run it.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that is to follow the tables and to write to them; nil where rights are given otherwise. A publication
    ///     is made by who owns the tables: see ``publicationSQL(for:)``.
    /// - Returns: Statements in one transaction, which may be run again.
    public func installationSQL(for tables: [String], role: String? = nil) -> String {
      let names = tables.map { PostgresName.quote(table: $0) }
      var parts = ["BEGIN;", InstallationSQL.hub] + names.map { InstallationSQL.table($0) }
      if let role { parts.append(InstallationSQL.grants(names, to: role)) }
      return (parts + ["COMMIT;"]).joined(separator: "\n")
    }

    /// Returns the SQL with which a migration tells replicas which versions of the schema the hub supports from then on.
    ///
    /// It belongs in the migration's own transaction: replicas get it in the same place among the commits.
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
          AND tgenabled IN ('O', 'A') AND tgrelid = ANY ($1::oid[])
        """, texts: [numbers])
      return triggers.rows == [["\(tables.count)"]]
    }
  }
#endif
