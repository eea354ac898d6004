#if Postgres
  internal import SectileHub

  extension PostgresHub {
    /// Sets up the hub: its own tables, and a column with a trigger in each table that replicas
    /// have.
    ///
    /// The column (`SyncedTable.revisionColumn`) tells which state of a row a writer saw, whoever
    /// changed it. All tables are looked at before anything is changed. What is there already stays
    /// as it is, and where all is there nothing is done, so a program may call this whenever it
    /// starts. Each table is changed in a transaction of its own, which locks it for a moment. A
    /// table that somebody uses for longer is tried again, five times for two seconds: all who come
    /// later would wait behind it.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that gets the rights to follow the tables and to write to them; nil where
    ///     rights are given otherwise.
    /// - Returns: Whether anything was done; with a role always.
    /// - Throws: `HubError`, before anything is changed: `noSuchTable`; `noPrimaryKey`;
    ///   `invalidSubscription` for what is no table that replicas can have, and for a role that is
    ///   not there; `notPermitted`, with the SQL for somebody who may. `unavailable`, also where a
    ///   table is in use all the time: what was done before stays.
    @discardableResult
    public func install(_ tables: [String], role: String? = nil) async throws -> Bool {
      let sql = installationSQL(for: tables, role: role)
      return try await pool.run { session in
        try translating("the hub cannot be set up", sql: sql, refusal: .invalidSubscription) {
          let plan = try session.installationPlan(for: tables, role: role, sql: sql)
          try session.perform(plan)
          return !plan.steps.isEmpty
        }
      }
    }

    /// Returns what ``install(_:role:)`` would do at this moment, and does nothing.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables, as in subscriptions.
    ///   - role: A role that is to follow the tables and to write to them.
    /// - Returns: The steps. Its notes name the columns that replicas do not have.
    /// - Throws: `HubError`, as ``install(_:role:)`` before it changes anything.
    public func installationPlan(
      for tables: [String], role: String? = nil
    ) async throws -> HubSetupPlan {
      let sql = installationSQL(for: tables, role: role)
      return try await pool.run { session in
        try translating("the hub cannot be set up", sql: sql, refusal: .invalidSubscription) {
          try session.installationPlan(for: tables, role: role, sql: sql)
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
    ///   They fail where replicas cannot have a table, before anything is changed, and where a
    ///   table is in use for longer than two seconds.
    public func installationSQL(for tables: [String], role: String? = nil) -> String {
      let names = tables.map { PostgresName.quote(table: $0) }
      let hub = InstallationSQL.checks(names, role: role) + "\n" + InstallationSQL.hub
      let changes = names.map { name in
        InstallationSQL.checks([name], role: nil) + "\n" + InstallationSQL.table(name)
      }
      let grants = role.map { [InstallationSQL.grants(names, to: $0)] } ?? []
      return ([hub] + changes + grants).map { "BEGIN;\n\($0)\nCOMMIT;" }.joined(separator: "\n")
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
    /// Looks at the server, and finds out what is missing.
    fileprivate func installationPlan(
      for names: [String], role: String?, sql: String
    ) throws -> HubSetupPlan {
      let tables = try names.map { try existingTable($0) }
      for (name, table) in zip(names, tables) { try table.checkKind(name) }
      let canReplicate = try role.map { try mayReplicate($0) } ?? true
      let changed = try tables.filter { try !countsChanges(of: $0) }
      try checkOwner(of: changed, sql: sql)
      if let role, !canReplicate, try !mayChangeReplication(of: role) {
        throw HubError(
          .notPermitted,
          message:
            "the hub cannot be set up: the user may not give REPLICATION to the role \(role)",
          hint:
            "Have somebody run this who may: ALTER ROLE \(PostgresName.quote(role)) REPLICATION;"
        )
      }
      var plan = HubSetupPlan()
      if try !hasHubTables() {
        plan.steps.append(
          HubSetupPlan.Step(
            "create the schema sectile with the hub's tables", transaction: InstallationSQL.hub)
        )
      }
      plan.steps += changed.map { table in
        HubSetupPlan.Step(
          "add the column \(SyncedTable.revisionColumn) and its trigger to "
            + "\(table.schema).\(table.name)", transaction: InstallationSQL.table(table.quotedName))
      }
      if let role {
        plan.steps.append(
          HubSetupPlan.Step(
            "let the role \(role) follow the tables and write to them",
            transaction: InstallationSQL.grants(
              tables.map(\.quotedName), to: role, canReplicate: canReplicate)))
      }
      plan.notes = zip(names, tables).compactMap { $1.noteOfOtherTypes($0) }
      return plan
    }

    /// Whether a role may follow the server's log.
    private func mayReplicate(_ role: String) throws -> Bool {
      let found = try query(
        "SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = $1", texts: [role])
      guard let row = found.rows.first else { throw HubError.noRole(role) }
      return row == ["t"]
    }

    /// Whether the hub's own tables are there, with what counts changes.
    private func hasHubTables() throws -> Bool {
      let names = (HubTables.Kind.allCases.map(\.rawValue) + ["revision"]).joined(separator: ",")
      let found = try query(
        """
        SELECT (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid
            AND c.relname = ANY ($1::text[])),
          EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = n.oid AND p.proname = 'next_revision')
        FROM pg_namespace n WHERE n.nspname = 'sectile'
        """, texts: ["{\(names)}"])
      return found.rows == [["\(HubTables.Kind.allCases.count + 1)", "t"]]
    }

    /// Whether a table counts the changes of its rows, whoever makes them and in whichever
    /// partition.
    private func countsChanges(of table: PostgresTable) throws -> Bool {
      guard table.hasRevision else { return false }
      let all = [table.number] + table.partitions
      let triggers = try query(
        """
        SELECT count(*) FROM pg_trigger WHERE tgname = 'sectile_revision'
          AND tgenabled = 'A' AND tgrelid = ANY ($1::oid[])
        """, texts: [Self.list(all)])
      return triggers.rows == [["\(all.count)"]]
    }

    /// Refuses to change tables that are others', or have partitions or heirs that are: these get
    /// the column as well.
    private func checkOwner(of tables: [PostgresTable], sql: String) throws {
      let found = try query(
        """
        WITH RECURSIVE part AS (
          SELECT unnest($1::oid[]) AS id
          UNION SELECT i.inhrelid FROM part p JOIN pg_inherits i ON i.inhparent = p.id)
        SELECT c.oid::regclass::text FROM part p JOIN pg_class c ON c.oid = p.id
        WHERE NOT pg_has_role(c.relowner, 'USAGE') LIMIT 1
        """, texts: [Self.list(tables.map(\.number))])
      guard let name = found.rows.first?.first ?? nil else { return }
      throw HubError(
        .notPermitted, message: "the hub cannot be set up: the user does not own the table \(name)",
        hint: "Have somebody run this who may: \(sql)")
    }

    /// Numbers of the catalog as a list for a statement.
    static func list(_ numbers: [UInt32]) -> String {
      "{" + numbers.map { "\($0)" }.joined(separator: ",") + "}"
    }
  }

  extension HubError {
    /// The error where there is no role of a name.
    static func noRole(_ role: String) -> HubError {
      HubError(
        .invalidSubscription, message: "the hub has no role \(role)",
        hint: "CREATE ROLE \(PostgresName.quote(role)) LOGIN;")
    }
  }

  extension PostgresTable {
    /// Which columns replicas do not have; nil where they have all.
    fileprivate func noteOfOtherTypes(_ name: String) -> String? {
      guard !unsupportedColumns.isEmpty else { return nil }
      let names = unsupportedColumns.map { "\($0.name) (\($0.typeName))" }.joined(separator: ", ")
      return "The table \(name) has columns that replicas do not have: \(names). "
        + "Subscribe to its other columns."
    }
  }
#endif
