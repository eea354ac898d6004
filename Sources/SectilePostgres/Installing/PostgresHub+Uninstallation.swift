#if Postgres
  internal import SectileHub
  internal import Synchronization

  extension PostgresHub {
    /// Takes back all that a hub has in the database: the publications and slots of all replicas,
    /// the column and the trigger of each table, and the schema `sectile`.
    ///
    /// Replicas keep their rows and go on to serve them, and do not follow any more. Each table is
    /// changed in a transaction of its own, as by ``install(_:role:)``. Where it ends with an
    /// error, it goes on when it is called again.
    ///
    /// ```swift
    /// try await hub.uninstall(revoking: ["replica"])
    /// ```
    ///
    /// - Parameter roles: Roles that lose `REPLICATION`, in all databases of the server, and their
    ///   rights to read and write the tables, whoever gave them.
    /// - Returns: What was done; without steps where the database is not a hub.
    /// - Throws: `HubError`, before anything is changed: `invalidSubscription` where a view reads a
    ///   column that would be dropped, and for a role that is not there; `notPermitted`, with the
    ///   SQL for somebody who may. `unavailable`, also where something is in use all the time;
    ///   `invalidSubscription` where others have put something into the schema.
    @discardableResult
    public func uninstall(revoking roles: [String] = []) async throws -> HubSetupPlan {
      defer { knownTables.withLock { $0 = [:] } }
      return try await pool.run { session in
        let purpose = "the hub cannot be taken back"
        let removal = try translating(purpose, refusal: .invalidSubscription) {
          try session.removal(revoking: roles)
        }
        let plan = removal.plan
        if let obstacle = removal.obstacle {
          throw HubError(
            .notPermitted, message: "\(purpose): the user \(obstacle)",
            hint: "Have somebody run this who may: \(plan.sql)")
        }
        try translating(purpose, sql: plan.sql, refusal: .invalidSubscription) {
          try session.perform(plan)
        }
        return plan
      }
    }

    /// Returns what ``uninstall(revoking:)`` would do at this moment, and does nothing.
    ///
    /// - Parameter roles: Roles that would lose their rights.
    /// - Returns: The steps. Its notes say what would be left.
    /// - Throws: `HubError`, as ``uninstall(revoking:)`` before it changes anything; without
    ///   rights, it does not.
    public func uninstallationPlan(revoking roles: [String] = []) async throws -> HubSetupPlan {
      try await pool.run { session in
        try translating("the hub cannot be looked at", refusal: .invalidSubscription) {
          try session.removal(revoking: roles).plan
        }
      }
    }
  }

  /// What takes a hub back.
  private struct HubRemoval {
    var plan = HubSetupPlan()
    /// Why the user may not do all of it, such as `does not own the table ev`; nil where they may.
    var obstacle: String?
  }

  extension PostgresSession {
    /// Looks for all that a hub has.
    fileprivate func removal(revoking roles: [String]) throws -> HubRemoval {
      var removal = HubRemoval()
      for role in roles {
        guard try hasRole(role) else { throw HubError.noRole(role) }
      }
      let owned = try names(UninstallationSQL.schema)
      if owned == ["f"] { removal.obstacle = "does not own the schema sectile" }
      var publications: [String] = []
      for row in try query(UninstallationSQL.publications).rows {
        guard row.count == 2, let name = row[0] else { continue }
        publications.append(name)
        if row[1] == "f" { removal.obstacle = "does not own the publication \(name)" }
      }
      if !publications.isEmpty || !owned.isEmpty {
        let list = publications.map { "the publication \($0), " }.joined()
        removal.plan.steps.append(
          HubSetupPlan.Step(
            "drop \(list)the hub's own tables",
            transaction: UninstallationSQL.feeds(publications)))
      }
      for row in try query(UninstallationSQL.slots).rows {
        guard row.count == 2, let slot = row[0] else { continue }
        if row[1] == "f" { removal.obstacle = "may not drop the slot \(slot)" }
        removal.plan.steps.append(
          HubSetupPlan.Step("drop the slot \(slot)", transaction: UninstallationSQL.slot(slot)))
      }
      let tables = try addTables(to: &removal, revoking: roles)
      if !owned.isEmpty {
        removal.plan.steps.append(
          HubSetupPlan.Step("drop the schema sectile", transaction: UninstallationSQL.rest))
      }
      try addRoles(roles, to: &removal)
      for name in try names(UninstallationSQL.others, texts: [Self.list(tables)]) {
        removal.plan.notes.append(
          "The table \(name) keeps its column \(SyncedTable.revisionColumn): "
            + "it has no trigger of the hub.")
      }
      return removal
    }

    /// The values of the first column, without NULLs.
    private func names(_ sql: String, texts: [String?] = []) throws -> [String] {
      try query(sql, texts: texts).rows.compactMap { row -> String? in row.isEmpty ? nil : row[0] }
    }

    private func hasRole(_ role: String) throws -> Bool {
      try !query("SELECT FROM pg_roles WHERE rolname = $1", texts: [role]).rows.isEmpty
    }

    /// Whether the user may let a role follow the log, which is there, and take that from it.
    func mayChangeReplication(of role: String) throws -> Bool {
      try query(UninstallationSQL.replicationRights, texts: [role]).rows == [["t"]]
    }

    /// Adds what the tables lose; returns their numbers.
    private func addTables(
      to removal: inout HubRemoval, revoking roles: [String]
    ) throws -> [UInt32] {
      var numbers: [UInt32] = []
      for row in try query(UninstallationSQL.tables).rows {
        guard row.count == 6, let number = row[0].flatMap(UInt32.init), let schema = row[1],
          let name = row[2], let trigger = row[3], let owner = row[4]
        else { continue }
        numbers.append(number)
        if row[5] == "f" { removal.obstacle = "does not own the table \(schema).\(name)" }
        removal.plan.steps.append(
          HubSetupPlan.Step(
            "drop the column \(SyncedTable.revisionColumn) and the trigger of \(schema).\(name)",
            transaction: UninstallationSQL.table(
              PostgresName.quote(schema) + "." + PostgresName.quote(name), trigger: trigger,
              // An owner would lose what it has without having been given it.
              roles: roles.filter { $0 != owner })))
      }
      let views = try query(UninstallationSQL.views, texts: [Self.list(numbers)])
      if let row = views.rows.first, row.count == 2, let view = row[0], let table = row[1] {
        throw HubError(
          .invalidSubscription,
          message: "the view \(view) reads the column \(SyncedTable.revisionColumn) of \(table)",
          hint: "Make the view without that column first.")
      }
      return numbers
    }

    /// Adds what roles lose beside their rights to the tables, and says who keeps something.
    private func addRoles(_ roles: [String], to removal: inout HubRemoval) throws {
      for role in roles {
        let found = try query(
          "SELECT FROM pg_roles WHERE rolname = $1 AND rolreplication AND NOT rolsuper",
          texts: [role])
        if found.rows.isEmpty { continue }
        if try !mayChangeReplication(of: role) {
          removal.obstacle = "may not take REPLICATION from the role \(role)"
        }
        removal.plan.steps.append(
          HubSetupPlan.Step(
            "take REPLICATION from the role \(role)",
            transaction: "ALTER ROLE \(PostgresName.quote(role)) NOREPLICATION;"))
      }
      for role in try names(UninstallationSQL.roles) where !roles.contains(role) {
        removal.plan.notes.append(
          "The role \(role) keeps REPLICATION and its rights on the tables.")
      }
    }
  }
#endif
