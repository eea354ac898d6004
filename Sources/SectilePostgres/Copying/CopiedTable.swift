#if Postgres
  internal import SectileHub

  /// A table that is copied.
  struct CopiedTable: Sendable {
    var synced: SyncedTable
    var table: PostgresTable

    /// How the values of each column are read.
    var types: [PostgresType] {
      synced.columns.compactMap { table.column($0.name)?.type?.reading(as: $0) }
    }

    /// Refuses a table that is not as it was described.
    func check() throws(HubError) {
      for column in synced.columns
      where table.column(column.name)?.type?.reading(as: column) == nil {
        throw HubError(
          .invalidSubscription,
          message:
            "the column \(column.name) of the table \(synced.name) is not as it was described",
          hint: "Describe the tables again.")
      }
    }

    /// The statement that copies it.
    var copySQL: String {
      let columns = synced.columns.map(expression).joined(separator: ", ")
      let condition = synced.condition.map { " WHERE (\($0)\n)" } ?? ""
      return "COPY (SELECT \(columns) FROM \(table.source)\(condition)) TO STDOUT (FORMAT binary)"
    }

    /// What is copied of a column.
    private func expression(_ column: SyncedTable.Column) -> String {
      let name = PostgresName.quote(column.name)
      guard table.column(column.name)?.type?.isCopiedAsText == true else { return name }
      // The text of a stream: a cast may give another one, such as that of `inet`, and a row of
      // NULLs only is no NULL.
      return "CASE WHEN \(name) IS DISTINCT FROM NULL THEN pg_catalog.concat(\(name)) END"
    }
  }
#endif
