#if Postgres
  internal import SectileCore
  internal import SectileHub

  extension MutationWriter {
    /// The mutation as statements of a transaction that are sent without waiting for an answer.
    ///
    /// ```
    /// the client's number   fails where it is not the next one
    /// each change           fails where it finds no row, or leaves what replicas cannot have
    /// ```
    ///
    /// What fails is not decided by that: it is performed step by step (``perform()``), which finds
    /// out why. So these may fail where nothing is wrong, such as a delete of a row that is gone,
    /// and never the other way round.
    ///
    /// - Throws: What makes statements impossible: `PostgresValue.Misfit`, and errors of looking up
    ///   a table.
    func statements() throws -> [PostgresStatement] {
      guard let advancing = try self.advancing(rejection: nil) else {
        throw PostgresValue.Misfit(reason: "the number is none")
      }
      let changes = try mutation.changes.map { try self.statement(for: $0).statement.demanding }
      return [Self.syncingCommit, advancing.demanding] + changes
    }

    /// Has the commit wait for the server's disk, where the server's settings would not.
    private static var syncingCommit: PostgresStatement {
      PostgresStatement(
        sql: """
          SELECT pg_catalog.set_config('synchronous_commit', 'on', true)
          WHERE pg_catalog.current_setting('synchronous_commit') = 'off'
          """)
    }
  }

  extension RowStatement {
    /// The same, which fails where it finds no row, and where a row may have a value then that
    /// replicas cannot have.
    ///
    /// The server has no condition for a commit. So a text that is no number becomes one, whose
    /// words stand in the server's log.
    var demanding: PostgresStatement {
      let returning = isQuestion || !returned.isEmpty ? "" : " RETURNING 1"
      let terms = returned.compactMap(Self.term)
      let condition = terms.isEmpty ? "true" : terms.joined(separator: " AND ")
      return PostgresStatement(
        sql: """
          WITH changed AS (\(sql)\(returning))
          SELECT CAST(CASE WHEN coalesce(pg_catalog.bool_and(\(condition)), false) THEN '1'
            ELSE 'sectile: this mutation is performed step by step' END AS pg_catalog.int4) FROM changed
          """, parameters: parameters)
    }

    /// What is true of all values of a column that replicas can have, but for some at the ends of
    /// what they can.
    private static func term(_ column: PostgresTable.Column) -> String? {
      let name = PostgresName.quote(column.name)
      switch column.type {
      case .float4?, .float8?: return "coalesce(\(name) <> 'NaN', true)"
      case .date?, .timestamp?, .timestamptz?:
        // Infinity has a text.
        return "coalesce(NOT pg_catalog.isfinite(\(name)) "
          + "OR \(name) BETWEEN '0001-01-02' AND '9999-12-30', true)"
      default: return nil
      }
    }
  }
#endif
