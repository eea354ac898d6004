#if Postgres
  internal import SectileHub

  /// A table that is copied.
  struct CopiedTable: Sendable {
    var synced: SyncedTable
    var table: PostgresTable

    /// How the values of each column are read.
    var types: [PostgresType] {
      synced.columns.compactMap { table.column($0.name)?.type }
    }

    /// Refuses a table that is not as it was described.
    func check() throws(HubError) {
      for column in synced.columns where table.column(column.name)?.type?.hubType != column.type {
        throw HubError(
          .invalidSubscription,
          message:
            "the column \(column.name) of the table \(synced.name) is not as it was described",
          hint: "Describe the tables again.")
      }
    }

    /// The statement that copies it.
    var copySQL: String {
      let columns = PostgresName.list(synced.columns.map(\.name))
      let condition = synced.condition.map { " WHERE (\($0)\n)" } ?? ""
      return "COPY (SELECT \(columns) FROM \(table.source)\(condition)) TO STDOUT (FORMAT binary)"
    }
  }
#endif
