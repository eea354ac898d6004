#if Postgres
  public import SectileHub

  extension PostgresHub {
    /// Describes tables: columns and keys from the server's catalog.
    ///
    /// Columns that the server computes are left out, and the column of revisions (`SyncedTable.revisionColumn`)
    /// is there wherever the table has it, named or not.
    ///
    /// - Parameter subscriptions: Which.
    /// - Returns: The tables, in the same order.
    /// - Throws: `HubError`: `noSuchTable`, `noPrimaryKey`, `unsupportedType`, `invalidSubscription`, `notPermitted`;
    ///   `unavailable`.
    public func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
      var names: Set<String> = []
      for subscription in subscriptions where !names.insert(subscription.name).inserted {
        throw HubError(
          .invalidSubscription, message: "the table \(subscription.name) is subscribed to twice")
      }
      return try await pool.run { session in
        try translating("PostgreSQL does not describe the tables") {
          try subscriptions.map { subscription in
            let table = try session.existingTable(subscription.name)
            let described = try table.described(for: subscription)
            try session.checkCondition(of: described, in: table)
            return described
          }
        }
      }
    }
  }

  extension PostgresSession {
    /// Looks a table up that must be there.
    func existingTable(_ name: String) throws -> PostgresTable {
      guard let table = try table(named: name) else {
        throw HubError(
          .noSuchTable, message: "the hub has no table \(name)",
          hint:
            "A table in another schema than those of search_path is named with it: schema.table.")
      }
      return table
    }

    /// Has the server read a table's condition, as a statement of its own so that it is a condition and nothing else.
    func checkCondition(of described: SyncedTable, in table: PostgresTable) throws {
      guard let condition = described.condition else { return }
      try translating(
        "the condition of the table \(described.name) is not one", refusal: .invalidSubscription
      ) {
        _ = try query("SELECT FROM \(table.source) WHERE (\(condition)\n) LIMIT 0")
      }
    }
  }
#endif
