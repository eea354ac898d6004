#if Postgres
  internal import SectileHub

  /// What the server publishes for a replica: tables, with their columns and conditions, and the hub's own.
  struct Publication: Sendable {
    var name: String
    var tables: [(synced: SyncedTable, table: PostgresTable)]

    /// What tells that a publication is the one for these tables: its comment.
    var mark: String { Self.mark(SyncedTable.fingerprint(of: tables.map(\.synced))) }

    static func mark(_ fingerprint: String) -> String { "sectile \(fingerprint)" }

    private func published(_ synced: SyncedTable, _ table: PostgresTable, columns: Bool) -> String {
      var text = "TABLE \(table.source)"
      // A list that names all would have to be changed before a column can be dropped.
      let names = synced.columns.map(\.name)
      let isWhole = table.columns.allSatisfy { $0.isGenerated || names.contains($0.name) }
      if columns, !isWhole { text += " (\(PostgresName.list(names)))" }
      if let condition = synced.condition { text += " WHERE (\(condition)\n)" }
      return text
    }

    /// The statements that make it anew, with lists of columns or without.
    func statements(columns: Bool = true) -> [String] {
      let quoted = PostgresName.quote(name)
      let members =
        tables.map { published($0.synced, $0.table, columns: columns) }
        + HubTables.Kind.allCases.map(\.published)
      return [
        "DROP PUBLICATION IF EXISTS \(quoted)",
        """
        CREATE PUBLICATION \(quoted) FOR \(members.joined(separator: ", ")) WITH (
        publish = 'insert, update, delete, truncate', publish_via_partition_root = true)
        """,
        "COMMENT ON PUBLICATION \(quoted) IS \(PostgresName.quote(text: mark))",
      ]
    }

    /// The statements as a text for somebody to run.
    var sql: String {
      (["BEGIN"] + statements() + ["COMMIT"]).map { $0 + ";" }.joined(separator: "\n")
    }
  }

  extension PostgresSession {
    /// What the comment of a publication says; nil where there is no such publication.
    func mark(ofPublication name: String) throws -> String? {
      // In the simple protocol, for connections of both kinds; the name is made of letters and digits.
      let found = try execute(
        """
        SELECT coalesce(obj_description(oid, 'pg_publication'), '')
        FROM pg_publication WHERE pubname = \(PostgresName.quote(text: name))
        """)
      return found.rows.first?.first ?? nil
    }

    /// Makes a publication, where it is not there as it should be.
    func make(_ publication: Publication) throws {
      if try mark(ofPublication: publication.name) == publication.mark,
        try memberCount(of: publication.name)
          == publication.tables.count + HubTables.Kind.allCases.count
      {
        return
      }
      try translating(
        "the publication \(publication.name) cannot be made", sql: publication.sql,
        refusal: .invalidSubscription
      ) {
        do {
          try transaction { session in
            // First without lists of columns, so that what it depends on are the columns of conditions.
            for statement in publication.statements(columns: false).prefix(2) {
              _ = try session.query(statement)
            }
            try session.checkConditions(of: publication)
            for statement in publication.statements() { _ = try session.query(statement) }
          }
        } catch let error as PostgresError where error.isAboutMissingTables {
          throw HubTables.missing(error)
        }
      }
    }

    private func memberCount(of publication: String) throws -> Int? {
      try query(
        """
        SELECT count(*) FROM pg_publication_rel r
        JOIN pg_publication p ON p.oid = r.prpubid WHERE p.pubname = $1
        """, texts: [publication]
      ).rows.first?.first?.flatMap { Int($0) }
    }

    /// Refuses conditions over columns that are not told of deleted rows.
    ///
    /// The server would take them, and then refuse every update and delete of the table, whoever makes it.
    private func checkConditions(of publication: Publication) throws {
      for (synced, table) in publication.tables where synced.condition != nil {
        let used = try query(
          """
          SELECT DISTINCT a.attname FROM pg_publication_rel r
          JOIN pg_publication p ON p.oid = r.prpubid
          JOIN pg_depend d ON d.classid = 'pg_publication_rel'::regclass AND d.objid = r.oid
          JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
          WHERE p.pubname = $1 AND r.prrelid = $2::oid AND d.refclassid = 'pg_class'::regclass
            AND d.refobjid = r.prrelid AND d.refobjsubid > 0
          """, texts: [publication.name, "\(table.number)"])
        let columns = used.rows.compactMap { $0.first ?? nil }
        guard let missing = columns.first(where: { !table.identity.contains($0) }) else { continue }
        throw HubError(
          .invalidSubscription,
          message:
            "the condition of the table \(synced.name) uses the column \(missing), which is not "
            + "in the table's replica identity",
          hint:
            "ALTER TABLE \(table.quotedName) REPLICA IDENTITY FULL; or have the column in the key.")
      }
    }
  }
#endif
