#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Describes tables: columns and keys from the server's catalog.
    ///
    /// Columns that the server computes are left out, and the column of revisions
    /// (`SyncedTable.revisionColumn`) is there wherever the table has it, named or not.
    ///
    /// - Parameter subscriptions: Which.
    /// - Returns: The tables, in the same order.
    /// - Throws: `HubError`: `noSuchTable`, `noPrimaryKey`, `unsupportedType`,
    ///   `invalidSubscription`, `notPermitted`; `unavailable`.
    public func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
      var names: Set<String> = []
      for subscription in subscriptions where !names.insert(subscription.name).inserted {
        throw HubError(
          .invalidSubscription, message: "the table \(subscription.name) is subscribed to twice")
      }
      return try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          let tables = try session.existingTables(subscriptions.map(\.name))
          return try zip(subscriptions, tables).map { subscription, table in
            let described = try table.described(for: subscription)
            try session.checkCondition(of: described, in: table)
            return described
          }
        }
      }
    }
  }

  extension PostgresHub {
    /// The columns that subscriptions leave out because replicas cannot have them, each as
    /// `table.column (type)`.
    ///
    /// - Throws: `HubError` `noSuchTable`, `unavailable`.
    package func omittedColumns(of subscriptions: [TableSubscription]) async throws -> [String] {
      let open = subscriptions.filter { $0.omitsUnsupportedColumns && $0.columns == nil }
      guard !open.isEmpty else { return [] }
      return try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          try open.flatMap { subscription in
            try session.existingTable(subscription.name).unsupportedColumns.map {
              "\(subscription.name).\($0.name) (\($0.typeName))"
            }
          }
        }
      }
    }
  }

  extension PostgresSession {
    /// Looks a table up that must be there.
    func existingTable(_ name: String) throws -> PostgresTable {
      guard let table = try table(named: name) else {
        if name.contains(".") {
          let found = try query("SELECT to_regclass($1)", texts: [PostgresName.quote(name)])
          if let other = found.rows.first?.first ?? nil { throw HubError.hasDot(name, other) }
        }
        throw HubError(
          .noSuchTable, message: "the hub has no table \(name)",
          hint:
            "A table in another schema than those of search_path is named with it: schema.table.")
      }
      return table
    }

    /// Looks tables up that must be there, each once.
    ///
    /// The server tells changes of a table under one name: who had it under two would get them for
    /// one.
    func existingTables(_ names: [String]) throws -> [PostgresTable] {
      let tables = try names.map { try existingTable($0) }
      for (place, table) in tables.enumerated() {
        for (other, earlier) in tables.enumerated()
        where other < place && earlier.number == table.number {
          throw HubError(
            .invalidSubscription,
            message: "\(names[other]) and \(names[place]) are one table of the hub",
            hint: "Subscribe to it under one name.")
        }
        for (other, root) in tables.enumerated() where root.partitions.contains(table.number) {
          throw HubError(
            .invalidSubscription,
            message: "\(names[place]) is a partition of \(names[other]), which has its rows",
            hint: "Subscribe to one of both.")
        }
      }
      return tables
    }

    /// Has the server read a table's condition, as a statement of its own so that it is a condition
    /// and nothing else, and refuses one over columns that are not told of deleted rows.
    ///
    /// The server would publish by it, and then refuse every update and delete of the table,
    /// whoever makes it.
    func checkCondition(of described: SyncedTable, in table: PostgresTable) throws {
      guard let condition = described.condition else { return }
      try translating(
        "the condition of the table \(described.name) is not one", refusal: .invalidSubscription
      ) {
        _ = try query("SELECT FROM \(table.source) WHERE (\(condition)\n) LIMIT 0")
      }
      let identity = table.identity
      guard try !canRead(condition, of: table, in: identity) else { return }
      let others = table.columns.map(\.name).filter { !identity.contains($0) }
      let missing = try others.first { other in
        try !canRead(condition, of: table, in: table.columns.map(\.name).filter { $0 != other })
      }
      guard let missing else { return }
      throw HubError(
        .invalidSubscription,
        message:
          "the condition of the table \(described.name) uses the column \(missing), which is not "
          + "in the table's replica identity",
        hint: "\(table.wholeIdentitySQL(lacking: missing)) Or have the column in the key.")
    }

    /// Whether a condition can be read where a table has some of its columns only.
    private func canRead(
      _ condition: String, of table: PostgresTable, in columns: [String]
    ) throws -> Bool {
      do {
        _ = try query(
          "SELECT FROM (SELECT \(PostgresName.list(columns)) FROM \(table.source)) "
            + "AS \(PostgresName.quote(table.name)) WHERE (\(condition)\n) LIMIT 0")
      } catch let error as PostgresError where error.isAboutMissingColumn {
        return false
      } catch let error as PostgresError where !error.isAboutServer {
        // It names the table with its schema, say. The publication is looked at when it is made.
      }
      return true
    }
  }

  extension HubError {
    /// The error where a dot in a name stands for no schema.
    fileprivate static func hasDot(_ name: String, _ quoted: String) -> HubError {
      HubError(
        .invalidSubscription, message: "the table \(quoted) has a dot in its name",
        hint: "Rename it; a view keeps the name for programs: ALTER TABLE \(quoted) RENAME TO "
          + "\(PostgresName.quote(name.replacing(".", with: "_")));")
    }
  }
#endif
